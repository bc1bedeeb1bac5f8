package bolt

import (
	"bytes"

	"go.etcd.io/bbolt"
)

// lookup returns the value of a key, nil for none. kept says how many entries there are in
// the bucket.
//
// A key that is not found where a page was damaged under the open file would make a
// message new that was executed. So that there is none is only believed between two
// entries that are whole, one before and one after the key: wherever damage leads a search
// within a page, one of the two is damaged, or out of order. What cannot be found this way
// is a whole page in the place of another.
func lookup(b *bbolt.Bucket, key []byte, kept func() (int64, error)) ([]byte, error) {
	c := b.Cursor()
	after, value := c.Seek(key)
	if after != nil && bytes.Equal(after, key) {
		return value, nil
	}
	before, beforeValue := before(c, after)
	if after == nil && before == nil {
		if n, err := kept(); err != nil || n == 0 {
			return nil, err
		}
		return nil, damaged("entries that were counted are not there")
	}
	if after != nil {
		if err := whole(after, value, bytes.Compare(key, after) < 0); err != nil {
			return nil, err
		}
	}
	if before != nil {
		if err := whole(before, beforeValue, bytes.Compare(before, key) < 0); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// before returns the entry before the one that a search came to.
func before(c *bbolt.Cursor, found []byte) (key, value []byte) {
	if found == nil {
		return c.Last()
	}
	return c.Prev()
}

// whole fails for an entry that is damaged or out of order.
func whole(key, value []byte, inOrder bool) error {
	if !inOrder {
		return damaged("entries out of order")
	}
	_, err := unseal(key, value)
	return err
}

func (t *change) countMessages() (int64, error) { return t.state.messages, nil }

func (t *change) countRecords() (int64, error) { return t.state.records, nil }

// countedRecords is countRecords of a snapshot.
func countedRecords(tx *bbolt.Tx) func() (int64, error) {
	return func() (int64, error) {
		st, err := decodeState(tx.Bucket([]byte(bucketState)).Get([]byte(stateKey)))
		return st.records, err
	}
}
