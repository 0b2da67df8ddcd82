package datasets

// Claim is one atomic statement that a right answer must contain, with the
// place in the reference outputs that proves it.
type Claim struct {
	ID            string  `parquet:"id" json:"id"`     // "c1", unique within the task
	Text          string  `parquet:"text" json:"text"` // "Utah's largest national park by area is Glen Mesa"
	Kind          string  `parquet:"kind" json:"kind"` // value, entity, set, order or statement
	Step          int32   `parquet:"step" json:"step"`
	Pointer       string  `parquet:"pointer" json:"pointer"`   // into the step's output document; "*" for set and order
	Expected      string  `parquet:"expected" json:"expected"` // JSON value found there; an array for set and order
	Tolerance     float64 `parquet:"tolerance" json:"tolerance"`
	ToleranceKind string  `parquet:"tolerance_kind" json:"tolerance_kind"` // exact, absolute (in Unit) or relative (0.01 = 1 %)
	Unit          string  `parquet:"unit" json:"unit"`                     // "km", "C", "USD"; "" if none
	Subject       string  `parquet:"subject" json:"subject"`               // what the value is about when several values of a kind are asked for ("Bullfrog"), else ""
	Essential     bool    `parquet:"essential" json:"essential"`
	Volatile      bool    `parquet:"volatile" json:"volatile"` // differs when the same call is repeated; never scored
}

// Claim kinds and tolerances.
const (
	ClaimValue     = "value"
	ClaimEntity    = "entity"
	ClaimSet       = "set"
	ClaimOrder     = "order"
	ClaimStatement = "statement"

	ToleranceExact    = "exact"
	ToleranceAbsolute = "absolute"
	ToleranceRelative = "relative"
)

// Outcome of a claim against an answer, with its weight for coverage.
const (
	Fulfilled    = "fulfilled"           // weight 1
	Partially    = "partially_fulfilled" // weight 0.5
	NotFulfilled = "not_fulfilled"       // weight 0
	Unscored     = "unscored"            // could not be judged; in no denominator
)

// PassCoverage is the claim coverage at which a task passes unless told otherwise.
const PassCoverage = 0.75
