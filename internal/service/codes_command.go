package service

// CommandCode says why a command of rdfprotod came to no result, beside the codes of the
// command line and of the packages that judge.
type CommandCode string

// The codes of the commands.
const (
	CommandExposed       CommandCode = "exposed"          // anybody could call the service
	CommandCannotListen  CommandCode = "cannot-listen"    // the address, the socket or how callers are known is wrong
	CommandCutOff        CommandCode = "requests-cut-off" // the service ended before requests did
	CommandInProgress    CommandCode = "in-progress"      // another call has the attempt
	CommandNoAttempt     CommandCode = "no-attempt"       // nothing runs that could be given up
	CommandNotKnown      CommandCode = "not-known"        // the agent may have got the task or not
	CommandRunning       CommandCode = "running"          // the attempt has not ended
	CommandInputRequired CommandCode = "input-required"   // the agent asks for input
	CommandAuthRequired  CommandCode = "auth-required"    // the agent asks for an authorization
	CommandTimeout       CommandCode = "timeout"          // the time of the command is up
	CommandUnreachable   CommandCode = "unreachable"      // the other side cannot be reached
	CommandMalformed     CommandCode = "malformed"        // the file of an answer holds none
)

// CommandCodes returns the codes of the commands in a fixed order.
func CommandCodes() []CommandCode {
	return []CommandCode{
		CommandExposed, CommandCannotListen, CommandCutOff, CommandInProgress, CommandNoAttempt, CommandNotKnown,
		CommandRunning, CommandInputRequired, CommandAuthRequired, CommandTimeout, CommandUnreachable, CommandMalformed,
	}
}

// Text returns one sentence on what the code means, and "" for a code that is not of the
// commands.
func (c CommandCode) Text() string {
	switch c {
	case CommandExposed:
		return "anybody could call the service that was asked for"
	case CommandCannotListen:
		return "the service cannot listen where it was asked to, or cannot know its callers as it was asked to"
	case CommandCutOff:
		return "the service ended while it still worked on requests"
	case CommandInProgress:
		return "another call goes on with the attempt, or has begun one"
	case CommandNoAttempt:
		return "no attempt at the task runs that could be given up"
	case CommandNotKnown:
		return "whether the agent got the task is not known, and it is not sent again"
	case CommandRunning:
		return "the attempt is still running"
	case CommandInputRequired:
		return "the agent asks for input"
	case CommandAuthRequired:
		return "the agent asks for an authorization that A2A does not carry"
	case CommandTimeout:
		return "the time of the command is up before there was an answer"
	case CommandUnreachable:
		return "the agent, its card or the store of messages cannot be reached"
	case CommandMalformed:
		return "the file of an answer holds no text"
	}
	return ""
}
