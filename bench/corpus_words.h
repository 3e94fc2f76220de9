// The vocabulary of the corpus.
#pragma once

#include <array>
#include <string_view>

namespace alfred::bench {

using Word = std::string_view;

inline constexpr std::array<Word, 80> kFoods{
    "onion",          "garlic",        "carrot",       "celery",        "leek",
    "potato",         "sweet potato",  "tomato",       "bell pepper",   "jalapeño",
    "zucchini",       "eggplant",      "spinach",      "kale",          "cabbage",
    "broccoli",       "cauliflower",   "mushroom",     "green bean",    "pea",
    "corn",           "cucumber",      "lettuce",      "avocado",       "lemon",
    "lime",           "orange",        "apple",        "pear",          "mango",
    "chicken breast", "chicken thigh", "ground beef",  "pork shoulder", "bacon",
    "lamb shank",     "salmon fillet", "cod fillet",   "shrimp",        "tuna",
    "tofu",           "tempeh",        "egg",          "butter",        "whole milk",
    "crème fraîche",  "heavy cream",   "Greek yogurt", "Gruyère",       "Parmesan",
    "feta",           "mozzarella",    "basmati rice", "arborio rice",  "spaghetti",
    "penne",          "rice noodle",   "bread crumb",  "flour",         "sugar",
    "brown sugar",    "honey",         "maple syrup",  "olive oil",     "sesame oil",
    "soy sauce",      "fish sauce",    "rice vinegar", "Dijon mustard", "tomato paste",
    "coconut milk",   "chickpea",      "black bean",   "red lentil",    "almond",
    "walnut",         "cumin",         "paprika",      "coriander",     "thyme"};

inline constexpr std::array<Word, 5> kForms{"", "fresh ", "organic ", "frozen ", "smoked "};

inline constexpr std::array<Word, 12> kStyles{"Roasted", "Braised", "Crispy",      "Spicy",
                                              "Creamy",  "Grilled", "Slow-Cooked", "Sautéed",
                                              "Stuffed", "One-Pan", "Weeknight",   "Grandma's"};
inline constexpr std::array<Word, 12> kDishes{"Curry", "Stir Fry", "Soup",      "Stew",
                                              "Salad", "Gratin",   "Tacos",     "Risotto",
                                              "Bowl",  "Pasta",    "Casserole", "Purée"};
inline constexpr std::array<Word, 10> kCuisines{"thai",     "italian", "mexican",  "indian",
                                                "french",   "greek",   "japanese", "korean",
                                                "american", "moroccan"};
inline constexpr std::array<Word, 3> kDifficulties{"easy", "medium", "hard"};
inline constexpr std::array<Word, 5> kOccasions{"weeknight", "batch-prep", "hosting", "weekend",
                                                "comfort"};
inline constexpr std::array<Word, 8> kHealthTags{"high-protein", "low-carb", "vegetarian",
                                                 "vegan",        "light",    "gluten-free",
                                                 "dairy-free",   "keto"};
inline constexpr std::array<Word, 8> kFlavorTags{"spicy", "mild", "savory", "sweet",
                                                 "tangy", "rich", "light",  "umami"};
inline constexpr std::array<Word, 9> kEquipmentTags{"air-fryer",   "instant-pot", "one-pot",
                                                    "one-pan",     "grill",       "no-cook",
                                                    "slow-cooker", "oven",        "stovetop"};
inline constexpr std::array<Word, 12> kUnits{"g",  "kg", "ml",    "cup",   "tbsp", "tsp",
                                             "oz", "lb", "piece", "clove", "can",  "pinch"};
inline constexpr std::array<Word, 10> kShelves{"vegetables", "fruit", "meat",   "seafood", "dairy",
                                               "grains",     "oils",  "spices", "canned",  "nuts"};

// In sentences, % stands for a food and # for a number of minutes.
inline constexpr std::array<Word, 24> kSteps{
    "Preheat the oven to 400°F (200°C) and line a rimmed baking sheet with parchment.",
    "Heat the oil in a large skillet over medium-high heat until it shimmers.",
    "Add the % and cook, stirring occasionally, until softened and lightly golden, about # "
    "minutes.",
    "Stir in the % and the % and cook until fragrant, about 1 minute.",
    "Season generously with salt and pepper, then transfer to a plate.",
    "Pour in the stock, scraping up any browned bits from the bottom of the pan, and bring to a "
    "boil.",
    "Reduce the heat to low, cover, and simmer for # minutes, or until the % is tender.",
    "Meanwhile, whisk together the %, the % and ½ cup of water in a small bowl until smooth.",
    "Return the % to the pan and toss to coat in the sauce.",
    "Bake for # minutes, rotating the pan halfway through, until the top is bubbling and browned.",
    "Remove from the heat and let rest for # minutes before slicing.",
    "Taste and adjust the seasoning; it should be bright, salty and a little \\\"sharp\\\".",
    "Garnish with chopped % and serve at once with lemon wedges.",
    "Pat the % dry with paper towels so that it sears instead of steaming.",
    "In a large pot of salted boiling water, cook the % for # minutes; drain, keeping 1 cup of the "
    "water.",
    "Divide among warm bowls and top with the %.",
    "Fold in the % gently so that it keeps its shape.",
    "Cover with foil and bake for another # minutes.",
    "Toss the % with the % and a pinch of salt and leave to stand while you cook the rest.",
    "Working in batches, brown the % on all sides, about # minutes per batch.",
    "Deglaze with the wine and reduce by half.",
    "Blend until completely smooth, adding water a tablespoon at a time if it is too thick.",
    "Scatter the % over the top, drizzle with a little more oil and broil for # minutes.",
    "Let cool completely, then store in an airtight container for up to 4 days."};

inline constexpr std::array<Word, 8> kDescriptions{
    "A simple dish that comes together in under # minutes and tastes like it took all day.",
    "Tender % in a rich, glossy sauce with plenty of %; even better the next day.",
    "Our house version of a classic, with % in place of the usual %.",
    "Bright and fresh, with crisp % and a sauce of % that you will want to put on everything.",
    "The one we make when friends come over. Doubles easily.\\nFreezes well for a month.",
    "Warming, filling and cheap: % carries the whole pot.",
    "Adapted from a café menu; the % makes it.",
    "Quick enough for a Tuesday, good enough for a Saturday."};

inline constexpr std::array<Word, 14> kNotes{"finely chopped",
                                             "thinly sliced",
                                             "minced",
                                             "at room temperature",
                                             "drained and rinsed",
                                             "plus more for serving",
                                             "to taste",
                                             "peeled and cut into 1-inch pieces",
                                             "toasted",
                                             "divided",
                                             "packed",
                                             "or use frozen, thawed",
                                             "seeds removed if you like it mild",
                                             "preferably from a jar \\\"in brine\\\""};

}  // namespace alfred::bench
