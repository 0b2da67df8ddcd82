package world

import (
	"fmt"
	"math"
	"sync"
)

var moneyServer = server{
	title:        "Money",
	instructions: "Currency conversion at the euro reference rates of 31 December 2024, loans and savings.",
	tools:        moneyTools,
}

// ratesDate is the day of the rates in data/rates.csv.
const ratesDate = "2024-12-31"

type currency struct {
	Code     string  `json:"code"`
	Name     string  `json:"name"`
	PerEUR   float64 `json:"per_eur"`
	decimals int     // of an amount
}

var allCurrencies = sync.OnceValue(func() []currency {
	return facts("rates.csv", func(r row) currency {
		return currency{r.text("code"), r.text("name"), r.number("per_eur"), r.int("decimals")}
	})
})

func moneyTools() []tool {
	codes := choices(allCurrencies(), func(c currency) string { return c.Code })
	from := param{name: "from", kind: str, description: `ISO code of the currency that you have, e.g. "USD"`, enum: codes}
	to := param{name: "to", kind: str, description: `ISO code of the currency that you want, e.g. "JPY"`, enum: codes}
	principal := param{name: "principal", kind: num, description: "Amount borrowed, e.g. 25000", above: at(0), max: at(1e12), examples: []any{25000}}
	rate := param{name: "annual_rate_percent", kind: num, description: "Nominal yearly interest in percent, e.g. 4.5", min: at(0), max: at(100), examples: []any{4.5, 3.9}}
	years := param{name: "years", kind: integer, description: "Term in years, e.g. 10", min: at(1), max: at(50), examples: []any{5, 10, 20}}
	return []tool{
		{
			name: "convert", title: "Convert an amount",
			description: "Converts an amount of money between two currencies at the euro reference rates of 31 December 2024.",
			params:      []param{{name: "amount", kind: num, description: "Amount, e.g. 250", min: at(0), max: at(1e12), examples: []any{250, 1200}}, from, to},
			output: outputSchema(field{"amount", "number", "Amount in the currency wanted"}, field{"currency", "string", "ISO code of that currency"},
				field{"rate", "number", "Units of that currency for one of the other"}, field{"date", "string", "Date of the rate"}),
			run: convertMoney,
		},
		{
			name: "currency", title: "Currency and its rate",
			description: "Name of a currency and its euro reference rate of 31 December 2024 (units for one euro).",
			params:      []param{{name: "currency", kind: str, description: `ISO code, e.g. "CHF"`, enum: codes}},
			output: outputSchema(field{"code", "string", "ISO code"}, field{"name", "string", "Name"},
				field{"per_eur", "number", "Units for one euro"}, field{"date", "string", "Date of the rate"}),
			run: currencyRate,
		},
		{
			name: "loan_payment", title: "Monthly payment of a loan",
			description: "Monthly payment, total paid and total interest of a loan with equal monthly payments at the end of each month.",
			params:      []param{principal, rate, years},
			output: outputSchema(field{"monthly_payment", "number", "Payment each month"}, field{"total_paid", "number", "All payments"},
				field{"total_interest", "number", "Payments less the amount borrowed"}, field{"payments", "integer", "Number of payments"}),
			run: loanPayment,
		},
		{
			name: "loan_balance", title: "What is left of a loan",
			description: "What is still owed of a loan with equal monthly payments after a number of years.",
			params: []param{principal, rate, years,
				{name: "after_years", kind: integer, description: "Full years paid, less than the term, e.g. 3", min: at(1), max: at(49), examples: []any{3}}},
			output: outputSchema(field{"balance", "number", "Amount still owed"}, field{"repaid", "number", "Amount repaid so far, without interest"}),
			run:    loanBalance,
		},
		{
			name: "savings", title: "Growth of savings",
			description: "What an amount grows to with yearly compound interest.",
			params: []param{{name: "amount", kind: num, description: "Amount at the start, e.g. 1000", above: at(0), max: at(1e12), examples: []any{1000}},
				rate, years},
			output: outputSchema(field{"final_amount", "number", "Amount at the end"}, field{"interest", "number", "What it grew by"}),
			run:    savings,
		},
		{
			name: "split_bill", title: "Split a bill",
			description: "Each person's share of a bill, tip included.",
			params: []param{{name: "amount", kind: num, description: "Amount of the bill, e.g. 84.5", above: at(0), max: at(1e12), examples: []any{84.5}},
				{name: "people", kind: integer, description: "Number of people, e.g. 4", min: at(1), max: at(1000), examples: []any{4, 6}},
				{name: "tip_percent", kind: num, description: "Tip in percent of the bill", optional: true, fallback: 0, min: at(0), max: at(100)}},
			output: outputSchema(field{"total", "number", "Bill and tip"}, field{"share", "number", "One person's share"}),
			run:    splitBill,
		},
	}
}

func currencyByCode(code string) (currency, error) {
	for _, c := range allCurrencies() {
		if c.Code == code {
			return c, nil
		}
	}
	return currency{}, fmt.Errorf("no rate for %q", code)
}

func convertMoney(a arguments) (any, error) {
	from, err := currencyByCode(a.text("from"))
	if err != nil {
		return nil, err
	}
	to, err := currencyByCode(a.text("to"))
	if err != nil {
		return nil, err
	}
	rate := to.PerEUR / from.PerEUR
	return struct {
		Amount   float64 `json:"amount"`
		Currency string  `json:"currency"`
		Rate     float64 `json:"rate"`
		Date     string  `json:"date"`
	}{round(a.number("amount")*rate, to.decimals), to.Code, significant(rate, 6), ratesDate}, nil
}

func currencyRate(a arguments) (any, error) {
	c, err := currencyByCode(a.text("currency"))
	if err != nil {
		return nil, err
	}
	return struct {
		currency
		Date string `json:"date"`
	}{c, ratesDate}, nil
}

// payment is the monthly payment that repays a loan in n months.
func payment(principal, annualPercent float64, n int) float64 {
	r := annualPercent / 1200
	if r == 0 {
		return principal / float64(n)
	}
	return principal * r / (1 - math.Pow(1+r, -float64(n)))
}

func loanPayment(a arguments) (any, error) {
	principal, n := a.number("principal"), 12*a.int("years")
	p := payment(principal, a.number("annual_rate_percent"), n)
	return struct {
		Monthly  float64 `json:"monthly_payment"`
		Total    float64 `json:"total_paid"`
		Interest float64 `json:"total_interest"`
		Payments int     `json:"payments"`
	}{round(p, 2), round(p*float64(n), 2), round(p*float64(n)-principal, 2), n}, nil
}

func loanBalance(a arguments) (any, error) {
	if a.int("after_years") >= a.int("years") {
		return nil, fmt.Errorf("after %d years a loan of %d years is repaid", a.int("after_years"), a.int("years"))
	}
	principal, rate, left := a.number("principal"), a.number("annual_rate_percent"), 12*(a.int("years")-a.int("after_years"))
	p, r := payment(principal, rate, 12*a.int("years")), rate/1200
	balance := p * float64(left)
	if r > 0 {
		balance = p * (1 - math.Pow(1+r, -float64(left))) / r
	}
	return struct {
		Balance float64 `json:"balance"`
		Repaid  float64 `json:"repaid"`
	}{round(balance, 2), round(principal-balance, 2)}, nil
}

func savings(a arguments) (any, error) {
	end := a.number("amount") * math.Pow(1+a.number("annual_rate_percent")/100, a.number("years"))
	return struct {
		Final    float64 `json:"final_amount"`
		Interest float64 `json:"interest"`
	}{round(end, 2), round(end-a.number("amount"), 2)}, nil
}

func splitBill(a arguments) (any, error) {
	total := a.number("amount") * (1 + a.number("tip_percent")/100)
	return struct {
		Total float64 `json:"total"`
		Share float64 `json:"share"`
	}{round(total, 2), round(total/a.number("people"), 2)}, nil
}
