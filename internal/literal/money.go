package literal

import "strings"

// currencies are the ISO 4217 codes that are read as money.
var currencies = codeSet(`USD EUR GBP JPY CHF CAD AUD NZD CNY HKD SGD INR KRW SEK NOK DKK PLN CZK HUF RON BGN
TRY RUB UAH BRL MXN ARS CLP COP PEN ZAR EGP NGN KES MAD ILS AED SAR QAR KWD THB MYR IDR PHP VND TWD PKR ISK BTC ETH`)

// dollars are the currencies that "$" can stand for.
var dollars = codeSet("USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP")

var currencySigns = map[string]string{
	"$": "$", "US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD",
	"€": "EUR", "£": "GBP", "¥": "¥", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "R$": "BRL", "₪": "ILS", "₿": "BTC",
}

var currencyWords = map[string]string{
	"$": "dollar buck", "USD": "us_dollar", "EUR": "euro", "GBP": "pound_sterling pounds_sterling british_pound sterling",
	"JPY": "yen japanese_yen", "CHF": "swiss_franc franc", "INR": "rupee", "CNY": "yuan renminbi", "CAD": "canadian_dollar", "AUD": "australian_dollar",
	"KRW": "won", "SEK": "swedish_krona swedish_kronor", "NOK": "norwegian_krone norwegian_kroner", "DKK": "danish_krone danish_kroner", "PLN": "zloty", "MXN": "mexican_peso", "BRL": "real reais", "ZAR": "rand", "TRY": "lira",
}

func codeSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, c := range strings.Fields(list) {
		set[c] = true
	}
	return set
}

func isCurrency(symbol string) bool {
	return symbol == "$" || symbol == "¥" || currencies[symbol]
}

// currencyCode reads a code in capitals or a sign.
func currencyCode(name string) (string, bool) {
	if currencies[name] {
		return name, true
	}
	code, ok := currencySigns[name]
	return code, ok
}

// currencySign reads a currency sign before a number.
func currencySign(text string, i int) (code string, n int) {
	if i >= len(text) || isDigit(text[i]) {
		return "", 0
	}
	for n := 5; n > 0; n-- {
		if i+n <= len(text) {
			if code, ok := currencySigns[text[i:i+n]]; ok {
				return code, n
			}
		}
	}
	return "", 0
}

// prefixed reads "USD 5" and "US$5", whose currency starts with a letter at i.
func (s *scanner) prefixed(i, end int) (Literal, bool) {
	if !isUpper(s.text[i]) {
		return Literal{}, false
	}
	code, n := currencySign(s.text, i)
	if n == 0 {
		if !currencies[s.text[i:end]] {
			return Literal{}, false
		}
		code, n = s.text[i:end], end-i
		n += space(s.text, i+n)
	}
	p, ok := readNumber(s.text, i+n)
	if !ok {
		return Literal{}, false
	}
	p.currency = code
	lit := p.literal(s.text)
	return lit, lit.Unit != "" && boundary(s.text, lit.End)
}
