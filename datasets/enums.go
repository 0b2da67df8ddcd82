package datasets

// enums lists the legal values of the fields that have a fixed set of them, by
// Go type and field.
var enums = map[string][]string{
	"Server.Transport":        {"stdio", "http", "sse", "memory", "catalog"},
	"Server.Status":           {ServerOK, ServerFailed, ServerDied, ServerCatalog},
	"Server.State":            {StateNone, StateSession, ""},
	"Tool.OutputSchemaSource": {SchemaDeclared, SchemaObserved, SchemaDescribed, SchemaNone},
	"Tool.Effect":             {EffectRead, EffectWrite, EffectUnknown},
	"Health.Status":           {HealthUntested, HealthOK, HealthFailing, HealthSkipped},
	"Edge.Kind":               {EdgeProposed, EdgeSchema, EdgeDeclared, EdgeObserved, EdgeVerified},
	"ToolResult.ErrorKind":    {"", ErrorTool, ErrorProtocol, ErrorUnknownTool},
	"Task.Pattern":            {PatternSingle, PatternLinear, PatternParallel, PatternHybrid},
	"Task.Status":             {StatusCandidate, StatusAccepted, StatusRejected},
	"Task.Proof":              {ProofExecuted, ProofNone},
	"Argument.Source":         {SourceConstant, SourceStep, SourceDefault, SourceInferred},
	"Argument.Pick":           {"", PickOnly, PickFirst, PickLargest, PickSmallest, PickEqual, PickAll},
	"Part.Role":               {RoleReason, RoleGiven, RoleDeed, RoleAsk},
	"Variant.Level":           {LevelLight, LevelMedium, LevelHeavy},
	"Variant.Status":          {StatusAccepted, StatusRejected},
	"Claim.Kind":              {ClaimValue, ClaimEntity, ClaimSet, ClaimOrder, ClaimStatement},
	"Claim.ToleranceKind":     {ToleranceExact, ToleranceAbsolute, ToleranceRelative},
	"Judgement.Axis":          {"solvability", "utility"},
	"Review.Decision":         {"accept", "reject", "edit"},
	"Trajectory.Agent":        {"oracle", "null", "single", "tools", "planner", "external"},
	"Trajectory.Variant":      {LevelLight, LevelMedium, LevelHeavy, LevelConcrete},
	"Trajectory.StopReason":   {StopAnswered, StopBudgetCalls, StopBudgetRounds, StopBudgetTime, StopStalled, StopInfraFailed, StopCancelled},
	"Message.Role":            {"system", "user", "assistant", "tool"},
	"Score.Scorer":            {"rule", "claim", "rubric", "diagnosis"},
	"Score.Outcome":           {"", Fulfilled, Partially, NotFulfilled, Unscored},
}
