package engine

import "strconv"

// AppendJSON appends the outcome as one JSON object for a record of what was decided:
// members in a fixed order, those that do not apply left out. It contains no payload
// and no challenge.
func (o *Outcome) AppendJSON(dst []byte) []byte {
	dst = appendString(append(dst, `{"version":1,"outcome":`...), o.Kind.String())
	dst = appendMember(dst, "code", string(o.Code))
	dst = appendMember(dst, "reason", o.Reason)
	dst = appendMember(dst, "contextId", o.ContextID)
	if !o.Pin.IsZero() {
		dst = appendMember(dst, "protocolHash", o.Pin.String())
	}
	if o.Seen {
		dst = append(dst, `,"seen":true`...)
	}
	if in := o.Intent; in != nil {
		dst = appendMember(dst, "messageId", in.messageID)
		dst = appendMember(dst, "peer", in.peer.Principal)
		dst = append(dst, `,"securityBearing":`...)
		dst = strconv.AppendBool(dst, !in.informal)
	}
	if a := o.Agreement; a != nil {
		dst = appendMember(dst, "agreementUntil", timeText(a.Expires))
	}
	dst = append(dst, `,"trace":`...)
	dst = o.Trace.AppendJSON(dst)
	return append(dst, '}')
}
