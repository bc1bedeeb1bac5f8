package a2a

import (
	"errors"
	"fmt"
	"slices"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// What one message of protobuf may have before it is decoded. Decoded it is a multiple of
// its bytes: a part or a value of two bytes becomes a hundred and more.
const (
	// maxFields bounds the fields at any depth, as the values of JSON are bounded.
	maxFields = 1 << 16
	// maxFieldNesting bounds messages in messages: a level of JSON takes three of a
	// google.protobuf.Struct.
	maxFieldNesting = 3 * maxNesting
)

// protobuf is gRPC's codec with a strict reading before it: a message within the bounds,
// in which no field and no member of an object stands twice. The protobuf library would
// take the last of them, and put two messages in one field together, where a box on the
// way may have looked at the first.
type protobuf struct{ encoding.CodecV2 }

func newProtobuf() encoding.CodecV2 { return protobuf{encoding.GetCodecV2("proto")} }

// Unmarshal implements encoding.CodecV2.
func (c protobuf) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return c.CodecV2.Unmarshal(data, v)
	}
	buffer := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer buffer.Free()
	var s fieldScan
	if err := s.message(buffer.ReadOnlyData(), m.ProtoReflect().Descriptor(), maxFieldNesting); err != nil {
		return err
	}
	return proto.Unmarshal(buffer.ReadOnlyData(), m)
}

// fieldScan goes through a message without decoding it.
type fieldScan struct{ fields int }

var (
	errFields  = fmt.Errorf("the message has more than %d fields", maxFields)
	errNesting = fmt.Errorf("the message is nested deeper than %d", maxFieldNesting)
	errTwice   = errors.New("the message has a field or a member twice")
)

// message goes through a message of a type.
func (s *fieldScan) message(b []byte, d protoreflect.MessageDescriptor, depth int) error {
	if depth == 0 {
		return errNesting
	}
	var room [8]protoreflect.FieldNumber
	seen := room[:0]
	var names map[string]bool
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		if s.fields++; s.fields > maxFields {
			return errFields
		}
		value := b[n:]
		if n = protowire.ConsumeFieldValue(number, kind, value); n < 0 {
			return protowire.ParseError(n)
		}
		value, b = value[:n], value[n:]
		f := d.Fields().ByNumber(number)
		if f == nil {
			continue
		}
		if !f.IsList() && !f.IsMap() {
			one := number
			if of := f.ContainingOneof(); of != nil { // of those that exclude each other
				one = of.Fields().Get(0).Number()
			}
			if slices.Contains(seen, one) {
				return errTwice
			}
			seen = append(seen, one)
		}
		if kind != protowire.BytesType || f.Message() == nil {
			continue
		}
		value, _ = protowire.ConsumeBytes(value)
		if f.IsMap() {
			name, err := mapKey(value)
			if err != nil {
				return err
			}
			if names == nil {
				names = map[string]bool{}
			}
			if name = fmt.Sprint(number, name); names[name] {
				return errTwice
			}
			names[name] = true
		}
		if err := s.message(value, f.Message(), depth-1); err != nil {
			return err
		}
	}
	return nil
}

// mapKey returns the key of an entry of a map, as it stands there.
func mapKey(entry []byte) (string, error) {
	for len(entry) > 0 {
		number, kind, n := protowire.ConsumeTag(entry)
		if n < 0 {
			return "", protowire.ParseError(n)
		}
		value := entry[n:]
		if n = protowire.ConsumeFieldValue(number, kind, value); n < 0 {
			return "", protowire.ParseError(n)
		}
		value, entry = value[:n], value[n:]
		if number != 1 {
			continue
		}
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		return string(value), nil
	}
	return "", nil
}
