-- The kitchen's tables, one text for SQLite and PostgreSQL. Keys are uuids, dates and instants are
-- ISO 8601, lists are JSON: all of them texts, which both databases keep as they are; pack.toml says
-- what each text holds. A row belongs to a user, and a link stays within the user's rows: keys and
-- links carry user_id. What happens to linked rows on a delete stands in pack.toml and is done by
-- Alfred in the same transaction, so links only refuse, and only at its end.
create table ingredients (
  id text primary key,
  name text not null unique,
  aliases text,
  parent_category text not null,
  category text,
  family text not null,
  cuisines text,
  default_unit text
);

create table recipes (
  user_id text not null,
  id text not null,
  name text not null,
  description text,
  cuisine text,
  difficulty text,
  prep_time_minutes bigint,
  cook_time_minutes bigint,
  servings bigint,
  instructions text not null,
  occasions text,
  health_tags text,
  flavor_tags text,
  equipment_tags text,
  source_url text,
  parent_recipe_id text,
  created_at text not null,
  updated_at text not null,
  primary key (user_id, id),
  foreign key (user_id, parent_recipe_id) references recipes (user_id, id)
    deferrable initially deferred
);
create index recipes_by_parent on recipes (user_id, parent_recipe_id);

create table recipe_ingredients (
  user_id text not null,
  id text not null,
  recipe_id text not null,
  ingredient_id text,
  name text not null,
  quantity double precision,
  unit text,
  notes text,
  is_optional boolean not null default false,
  category text,
  created_at text not null,
  updated_at text not null,
  primary key (user_id, id),
  foreign key (user_id, recipe_id) references recipes (user_id, id) deferrable initially deferred,
  foreign key (ingredient_id) references ingredients (id) deferrable initially deferred
);
create index recipe_ingredients_by_recipe on recipe_ingredients (user_id, recipe_id);

create table inventory (
  user_id text not null,
  id text not null,
  ingredient_id text,
  name text not null,
  quantity double precision not null,
  unit text not null,
  location text,
  category text,
  expiry_date text,
  purchase_date text,
  notes text,
  created_at text not null,
  updated_at text not null,
  primary key (user_id, id),
  foreign key (ingredient_id) references ingredients (id) deferrable initially deferred
);
create index inventory_by_expiry on inventory (user_id, expiry_date);

create table shopping_list (
  user_id text not null,
  id text not null,
  ingredient_id text,
  name text not null,
  quantity double precision,
  unit text,
  category text,
  is_purchased boolean not null default false,
  source text,
  notes text,
  created_at text not null,
  updated_at text not null,
  primary key (user_id, id),
  foreign key (ingredient_id) references ingredients (id) deferrable initially deferred
);

create table meal_plans (
  user_id text not null,
  id text not null,
  date text not null,
  meal_type text not null,
  recipe_id text,
  servings bigint not null default 1,
  notes text,
  created_at text not null,
  updated_at text not null,
  primary key (user_id, id),
  foreign key (user_id, recipe_id) references recipes (user_id, id) deferrable initially deferred
);
create index meal_plans_by_recipe on meal_plans (user_id, recipe_id);

create table tasks (
  user_id text not null,
  id text not null,
  title text not null,
  due_date text,
  remind_at text,
  remind_at_zone text,
  category text,
  completed boolean not null default false,
  recipe_id text,
  meal_plan_id text,
  created_at text not null,
  updated_at text not null,
  primary key (user_id, id),
  foreign key (user_id, recipe_id) references recipes (user_id, id) deferrable initially deferred,
  foreign key (user_id, meal_plan_id) references meal_plans (user_id, id)
    deferrable initially deferred
);
create index tasks_by_recipe on tasks (user_id, recipe_id);
create index tasks_by_meal_plan on tasks (user_id, meal_plan_id);

create table preferences (
  user_id text not null unique,
  id text not null,
  dietary_restrictions text,
  allergies text,
  favorite_cuisines text,
  disliked_ingredients text,
  cooking_skill_level text,
  household_adults bigint not null default 1,
  household_kids bigint not null default 0,
  household_babies bigint not null default 0,
  nutrition_goals text,
  available_equipment text,
  planning_rhythm text,
  current_vibes text,
  subdomain_guidance text,
  created_at text not null,
  updated_at text not null,
  primary key (user_id, id)
);

create table cooking_log (
  user_id text not null,
  id text not null,
  recipe_id text,
  meal_plan_id text,
  cooked_at text not null,
  servings bigint,
  rating bigint check (rating between 1 and 5),
  notes text,
  created_at text not null,
  updated_at text not null,
  primary key (user_id, id),
  foreign key (user_id, recipe_id) references recipes (user_id, id) deferrable initially deferred,
  foreign key (user_id, meal_plan_id) references meal_plans (user_id, id)
    deferrable initially deferred
);
create index cooking_log_by_recipe on cooking_log (user_id, recipe_id);
create index cooking_log_by_meal_plan on cooking_log (user_id, meal_plan_id);
