package extract

// Heading finds the row that names the columns among the first rows of a sheet, which hold something; -1 where there is none.
func Heading(rows []Row) int { return headOf(rows) }

// HeadRows is how many of the first rows of a sheet that hold something are looked at for the names of its columns.
const HeadRows = headRows

// ColumnName names a column as spreadsheets do: 1 is A, 28 is AB.
func ColumnName(n int) string { return column(n) }

// IsTable tells whether a file's name says that it is a table, which Rows reads.
func IsTable(name string) bool {
	f, err := formatOf(name)
	return err == nil && f.Family == FamilyTable
}
