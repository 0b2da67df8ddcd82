package world

import (
	"fmt"
	"strings"
	"sync"
)

var foodsServer = server{
	title:        "Foods and nutrients",
	instructions: "Energy and nutrients of common foods per 100 g, after USDA FoodData Central, rounded.",
	tools:        foodsTools,
}

type food struct {
	ID       string  `json:"food_id"`
	Name     string  `json:"name"`
	Kcal     float64 `json:"energy_kcal"`
	Protein  float64 `json:"protein_g"`
	Fat      float64 `json:"fat_g"`
	group    string
	nutrient map[string]float64 // all of them, by parameter value
}

var nutrients = []string{"energy_kcal", "protein_g", "fat_g", "carbs_g", "fiber_g", "sugar_g", "potassium_mg", "vitamin_c_mg"}

var allFoods = sync.OnceValue(func() []food {
	return facts("foods.csv", func(r row) food {
		f := food{ID: opaqueID("fd", r.text("name")), Name: r.text("name"), group: r.text("group"),
			Kcal: r.number("kcal"), Protein: r.number("protein_g"), Fat: r.number("fat_g"), nutrient: map[string]float64{}}
		for _, n := range nutrients {
			column := n
			if n == "energy_kcal" {
				column = "kcal"
			}
			f.nutrient[n] = r.number(column)
		}
		return f
	})
})

func foodsTools() []tool {
	id := idParam("food_id", "food", "list_foods or find_food")
	return []tool{
		{
			name: "list_foods", title: "Foods of a group",
			description: "Foods of one group with id and energy in kilocalories, protein and fat in grams, each per 100 g.",
			params:      []param{{name: "group", kind: str, description: `Food group, e.g. "fruit"`, enum: choices(allFoods(), func(f food) string { return f.group })}},
			run:         listFoods,
		},
		{
			name: "find_food", title: "Food by name",
			description: "The first food whose name contains the words given, with id and main values per 100 g.",
			params:      []param{{name: "name", kind: str, description: `Name or a part of it, e.g. "banana"`, examples: []any{"banana", "lentils", "almonds", "broccoli"}}},
			run:         findFood,
		},
		{
			name: "nutrients", title: "All nutrients of a food",
			description: "Carbohydrates, fibre and sugar in grams, potassium and vitamin C in milligrams besides energy, protein and fat of one food, per 100 g.",
			params:      []param{id},
			run:         foodNutrients,
		},
		{
			name: "portion", title: "Nutrients of a portion",
			description: "Energy in kilocalories, protein, fat and carbohydrates in grams of a portion of one food, in words.",
			params: []param{id,
				{name: "grams", kind: num, description: "Weight of the portion in grams, e.g. 150", above: at(0), max: at(100000), examples: []any{150, 80}}},
			run: foodPortion,
		},
		{
			name: "grams_for", title: "How much of a food to eat",
			description: "How many grams of one food hold a wanted amount of a nutrient.",
			params: []param{id,
				{name: "nutrient", kind: str, description: "Nutrient", enum: nutrients},
				{name: "amount", kind: num, description: "Amount wanted, in the unit that ends the nutrient's name, e.g. 20", above: at(0), max: at(100000), examples: []any{20, 250}}},
			run: gramsFor,
		},
	}
}

func listFoods(a arguments) (any, error) {
	found := []food{}
	for _, f := range allFoods() {
		if f.group == a.text("group") {
			found = append(found, f)
		}
	}
	return struct {
		Group string `json:"group"`
		Foods []food `json:"foods"`
	}{a.text("group"), found}, nil
}

func findFood(a arguments) (any, error) {
	for _, f := range allFoods() {
		if strings.Contains(strings.ToLower(f.Name), strings.ToLower(a.text("name"))) {
			return f, nil
		}
	}
	return nil, fmt.Errorf("no food named %q on record: list_foods lists the foods of a group", a.text("name"))
}

func foodByID(id string) (food, error) {
	for _, f := range allFoods() {
		if f.ID == strings.ToLower(id) {
			return f, nil
		}
	}
	return food{}, fmt.Errorf("no food with id %q: find_food gives the id", id)
}

func foodNutrients(a arguments) (any, error) {
	f, err := foodByID(a.text("food_id"))
	if err != nil {
		return nil, err
	}
	return struct {
		food
		Carbs     float64 `json:"carbs_g"`
		Fiber     float64 `json:"fiber_g"`
		Sugar     float64 `json:"sugar_g"`
		Potassium float64 `json:"potassium_mg"`
		VitaminC  float64 `json:"vitamin_c_mg"`
	}{f, f.nutrient["carbs_g"], f.nutrient["fiber_g"], f.nutrient["sugar_g"], f.nutrient["potassium_mg"], f.nutrient["vitamin_c_mg"]}, nil
}

func foodPortion(a arguments) (any, error) {
	f, err := foodByID(a.text("food_id"))
	if err != nil {
		return nil, err
	}
	k := a.number("grams") / 100
	return text(fmt.Sprintf("Energy %.0f kcal, protein %.1f g, fat %.1f g, carbohydrates %.1f g.",
		f.Kcal*k, f.Protein*k, f.Fat*k, f.nutrient["carbs_g"]*k)), nil
}

func gramsFor(a arguments) (any, error) {
	f, err := foodByID(a.text("food_id"))
	if err != nil {
		return nil, err
	}
	per100 := f.nutrient[a.text("nutrient")]
	if per100 == 0 {
		return nil, fmt.Errorf("%s has no %s", f.Name, a.text("nutrient"))
	}
	return struct {
		Grams float64 `json:"grams"`
	}{round(a.number("amount")/per100*100, 1)}, nil
}
