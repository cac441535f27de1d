package cert

import (
	"errors"
	"fmt"
)

func errTooLarge(n int) error {
	return fmt.Errorf("certificate: %d bytes are too many (limit %d)", n, MaxSize)
}

func errTooManyObjects(n int) error {
	return fmt.Errorf("certificate: %d objects and lists are too many (limit %d)", n, maxObjects)
}

func errDecode(err error) error { return fmt.Errorf("certificate: %w", err) }

func errSchema(got string) error {
	return fmt.Errorf("certificate: schema %q is not %q", got, Schema)
}

func errNotCanonical(offset int) error {
	return fmt.Errorf("certificate: not written as a certificate is, from byte %d on", offset)
}

func errTrailing() error { return errors.New("something follows the document") }

func errUnwantedData(r Rule) error { return fmt.Errorf("evidence by %q takes no data", r) }

func errNoData(r Rule) error { return fmt.Errorf("evidence by %q lacks its data", r) }

func errNull(i int) error { return fmt.Errorf("certificate: obligation %d is null", i) }
