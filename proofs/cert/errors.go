package cert

import "fmt"

func errTooLarge(n int) error {
	return fmt.Errorf("certificate: %d bytes are too many (limit %d)", n, MaxSize)
}

func errTooManyObjects(n int) error {
	return fmt.Errorf("certificate: %d objects and lists are too many (limit %d)", n, maxObjects)
}

func errTooManyItems(n int) error {
	return fmt.Errorf("certificate: %d items are too many (limit %d)", n, maxItems)
}

func errDecode(err error) error { return fmt.Errorf("certificate: %w", err) }

func errSchema(got string) error {
	return fmt.Errorf("certificate: schema %.40q is not %q", got, Schema)
}

func errNotCanonical(offset int) error {
	return fmt.Errorf("certificate: not written as a certificate is, from byte %d on", offset)
}

func errUnwantedData(r Rule) error { return fmt.Errorf("evidence by %q takes no data", r) }

func errNoData(r Rule) error { return fmt.Errorf("evidence by %q lacks its data", r) }

func errNull(i int) error { return fmt.Errorf("certificate: obligation %d is null", i) }
