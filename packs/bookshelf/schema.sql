-- A shelf of books and who has borrowed them. One text for SQLite and PostgreSQL: `integer primary
-- key` is counted by the database on both, where Alfred makes the tables. With `autoincrement` no number
-- comes back after its row was deleted, so that a ref never means another row.
create table authors (
  id integer primary key autoincrement,
  name text not null unique,
  born bigint,
  country text
);

create table books (
  id integer primary key autoincrement,
  title text not null,
  author_id bigint not null references authors (id),
  published bigint,
  pages bigint,
  genre text,
  shelf text,
  is_wanted boolean not null default false,
  notes text
);

create table members (
  id integer primary key autoincrement,
  name text not null,
  email text unique,
  joined_on text not null
);

create table loans (
  id integer primary key autoincrement,
  book_id bigint not null references books (id) on delete cascade,
  member_id bigint not null references members (id) on delete cascade,
  lent_on text not null,
  due_on text not null,
  returned_on text
);
