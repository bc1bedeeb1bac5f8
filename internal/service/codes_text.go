package service

// Text returns one sentence on what the code means, and "" for a code that is not of the
// service.
func (c Code) Text() string {
	switch c {
	case CodeMalformedRequest:
		return "the body is not the JSON that the route reads"
	case CodeUnauthenticated:
		return "there is no token, or one that is not known"
	case CodePeerUnauthenticated:
		return "a caller that is not authenticated speaks for a peer"
	case CodeForeignHost:
		return "the request names another host, or comes from a page"
	case CodeNotFound:
		return "there is no such route"
	case CodeUnknownIntent:
		return "no intent with this handle waits for an answer"
	case CodeMethodNotAllowed:
		return "the route has no such method"
	case CodeUnsupportedMediaType:
		return "the route does not read this media type or encoding"
	case CodeLimitExceeded:
		return "the body, or what it holds, is over a limit"
	case CodeTimeout:
		return "the time of the request is up"
	case CodeBusy:
		return "too many requests are being worked on"
	case CodeInternal:
		return "the service could not tell"
	case CodeNotConfigured:
		return "the configuration has nothing that could judge this"
	}
	return ""
}
