package world

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

var booksServer = server{
	title:        "Books and authors",
	instructions: "Books of world literature and the people who wrote them. Searches come in pages.",
	tools:        booksTools,
}

// booksPerPage is how many books one page of a search holds.
const booksPerPage = 8

type book struct {
	ID       string `json:"book_id"`
	Title    string `json:"title"`
	Author   string `json:"author"`
	Year     int    `json:"first_published"`
	genre    string
	language string
}

type author struct {
	ID         string `json:"author_id"`
	Name       string `json:"name"`
	Born       string `json:"born"`
	Died       string `json:"died"`
	Birthplace string `json:"birthplace"`
}

var allBooks = sync.OnceValue(func() []book {
	return facts("books.csv", func(r row) book {
		return book{
			ID: opaqueID("bk", r.text("title")), Title: r.text("title"), Author: r.text("author"), Year: r.int("year"),
			genre: r.text("genre"), language: r.text("language"),
		}
	})
})

var allAuthors = sync.OnceValue(func() []author {
	return facts("authors.csv", func(r row) author {
		return author{ID: opaqueID("au", r.text("name")), Name: r.text("name"), Born: r.text("born"), Died: r.text("died"), Birthplace: r.text("birthplace")}
	})
})

func booksTools() []tool {
	authorID := idParam("author_id", "author", "get_book or find_author")
	return []tool{
		{
			name: "search", title: "Search books",
			description: fmt.Sprintf("Books of a genre, %d to a page, earliest first, with id, title, author and year of first publication. If the answer has a next page, pass its number as page.", booksPerPage),
			params: []param{
				{name: "genre", kind: str, description: `Genre, e.g. "gothic novel"`, enum: choices(allBooks(), func(b book) string { return b.genre })},
				{name: "page", kind: integer, description: "Page, from 1", optional: true, fallback: 1, min: at(1), max: at(50)},
			},
			run: searchBooks,
		},
		{
			name: "get_book", title: "Book by title",
			description: "One book by its English title: ids of book and author, year of first publication, genre and original language.",
			params:      []param{{name: "title", kind: str, description: `English title, e.g. "Dracula" or "Moby-Dick"`, examples: []any{"Dracula", "Moby-Dick", "The Trial", "Kokoro"}}},
			run:         getBook,
		},
		{
			name: "get_author", title: "Author by id",
			description: "One author: dates of birth and death (as usually given) and city of birth, as lines of text.",
			params:      []param{authorID},
			run:         getAuthor,
		},
		{
			name: "find_author", title: "Author by name",
			description: "The author whose name contains the words given: id, dates of birth and death (as usually given) and city of birth.",
			params:      []param{{name: "name", kind: str, description: `Name or a part of it, e.g. "Stoker"`, examples: []any{"Stoker", "Mary Shelley", "Jules Verne", "Franz Kafka"}}},
			run:         findAuthor,
		},
		{
			name: "books_by", title: "Books of an author",
			description: "The books on record by one author, with id, title and year of first publication (not the complete works).",
			params:      []param{authorID},
			run:         booksBy,
		},
	}
}

func searchBooks(a arguments) (any, error) {
	var found []book
	for _, b := range allBooks() {
		if b.genre == a.text("genre") {
			found = append(found, b)
		}
	}
	slices.SortStableFunc(found, func(x, y book) int { return x.Year - y.Year })
	start := (a.int("page") - 1) * booksPerPage
	if start >= len(found) {
		return nil, fmt.Errorf("no page %d: there are %d books in this genre, %d to a page", a.int("page"), len(found), booksPerPage)
	}
	end := min(start+booksPerPage, len(found))
	answer := struct {
		Total int    `json:"total"`
		Books []book `json:"books"`
		Next  int    `json:"next,omitempty"`
	}{Total: len(found), Books: found[start:end]}
	if end < len(found) {
		answer.Next = a.int("page") + 1
	}
	return answer, nil
}

func getBook(a arguments) (any, error) {
	for _, b := range allBooks() {
		if strings.EqualFold(b.Title, a.text("title")) {
			w, err := authorNamed(b.Author)
			return struct {
				book
				AuthorID string `json:"author_id"`
				Genre    string `json:"genre"`
				Language string `json:"language"`
			}{b, w.ID, b.genre, b.language}, err
		}
	}
	return nil, fmt.Errorf("no book titled %q on record: search lists books by genre", a.text("title"))
}

func authorNamed(part string) (author, error) {
	for _, w := range allAuthors() {
		if strings.Contains(strings.ToLower(w.Name), strings.ToLower(part)) {
			return w, nil
		}
	}
	return author{}, fmt.Errorf("no author named %q on record", part)
}

func authorByID(id string) (author, error) {
	for _, w := range allAuthors() {
		if w.ID == strings.ToLower(id) {
			return w, nil
		}
	}
	return author{}, fmt.Errorf("no author with id %q: get_book gives the id of a book's author", id)
}

func getAuthor(a arguments) (any, error) {
	w, err := authorByID(a.text("author_id"))
	if err != nil {
		return nil, err
	}
	return lines("Name: "+w.Name, "Born: "+w.Born, "Died: "+w.Died, "Birthplace: "+w.Birthplace), nil
}

func findAuthor(a arguments) (any, error) { return authorNamed(a.text("name")) }

func booksBy(a arguments) (any, error) {
	w, err := authorByID(a.text("author_id"))
	if err != nil {
		return nil, err
	}
	type entry struct {
		ID    string `json:"book_id"`
		Title string `json:"title"`
		Year  int    `json:"first_published"`
	}
	var found []entry
	for _, b := range allBooks() {
		if b.Author == w.Name {
			found = append(found, entry{b.ID, b.Title, b.Year})
		}
	}
	return struct {
		Author string  `json:"author"`
		Books  []entry `json:"books"`
	}{w.Name, found}, nil
}
