package a2a

import (
	"context"
	"strings"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/tap"
)

// Bounds of a gRPC server. Everything that a peer can have more than one of at a time is
// a multiple of them; how many connections there are is up to the listener.
const (
	// RequestTime bounds the arrival of one request over gRPC.
	RequestTime = 10 * time.Second
	// maxStreams bounds the requests at a time on one connection. It is what most clients
	// take for the limit while they know of none.
	maxStreams = 100
	// maxHeaders bounds the metadata of one request or answer, in bytes as HTTP/2 counts
	// them: without their compression.
	maxHeaders = 64 << 10
)

// GRPCOptions are the options that do for a gRPC server what [HTTP] does for a handler,
// as far as it applies:
//
//   - Several extensions in one value are separated. The SDK names the activated ones in
//     the trailer.
//   - A method of the service of A2A 0.3, which an application may serve beside that of
//     1.0, is called in A2A 0.3, whatever version the client names.
//   - A request of more than [MaxMessage] bytes is refused, before and after it is
//     decompressed (by gRPC itself, as RESOURCE_EXHAUSTED), and one of too many fields,
//     or with a field or a member of an object that stands twice, before it is decoded
//     (as INTERNAL, gRPC's status for what cannot be decoded).
//   - A connection has at most 100 requests at a time, each with at most 64 KiB of
//     metadata. A request that did not arrive within [RequestTime] is ended, and so is a
//     connection that is not made by then.
//
// Options that are given after these replace them, but for grpc.InTapHandle, which can
// be given only once, and is here. The codec and the bounds are those of all services of
// the server.
//
// What gRPC cannot do: data parts arrive as google.protobuf.Struct, where numbers are
// doubles and members have no order; the SDK takes data that is no object for an empty
// one. How many connections there may be is up to the listener.
func GRPCOptions() []grpc.ServerOption { return grpcOptions(RequestTime) }

// grpcOptions are the options with a time for the arrival of a request.
func grpcOptions(most time.Duration) []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(MaxMessage),
		grpc.MaxConcurrentStreams(maxStreams),
		grpc.MaxHeaderListSize(maxHeaders),
		grpc.ConnectionTimeout(most),
		grpc.ForceServerCodecV2(newProtobuf()),
		grpc.InTapHandle(func(ctx context.Context, _ *tap.Info) (context.Context, error) {
			return awaitRequest(ctx, most), nil
		}),
		grpc.ChainUnaryInterceptor(func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			arrived(ctx)
			return handler(versioned(separated(ctx), info.FullMethod), req)
		}),
		grpc.ChainStreamInterceptor(func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			return handler(srv, &separatedStream{stream, versioned(separated(stream.Context()), info.FullMethod)})
		}),
	}
}

// arrival is the wait for a request.
type arrival struct {
	timer  *time.Timer
	forget func() bool
}

type arrivalKey struct{}

// awaitRequest returns the context with which gRPC reads a request: it ends when the
// time is up before [arrived] was called with it. It is the first that is called for a
// request, of which nothing but the metadata is there.
func awaitRequest(stream context.Context, most time.Duration) context.Context {
	a := &arrival{}
	ctx, end := context.WithCancel(context.WithValue(stream, arrivalKey{}, a))
	a.timer = time.AfterFunc(most, end)
	a.forget = context.AfterFunc(stream, func() { a.timer.Stop() }) // requests that are taken back leave nothing behind
	return ctx
}

// arrived ends the wait for the request of a context.
func arrived(ctx context.Context) {
	if a, ok := ctx.Value(arrivalKey{}).(*arrival); ok {
		a.timer.Stop()
		a.forget()
	}
}

// separated returns a context whose incoming metadata has one extension a value.
func separated(ctx context.Context) context.Context {
	key := strings.ToLower(sdk.SvcParamExtensions)
	values := metadata.ValueFromIncomingContext(ctx, key)
	if len(values) == 0 {
		return ctx
	}
	md, _ := metadata.FromIncomingContext(ctx) // a copy
	md.Set(key, splitExtensions(values)...)
	return metadata.NewIncomingContext(ctx, md)
}

// service03 is what the service of A2A 0.3 is called, whose methods have the names of those
// of A2A 1.0.
const service03 = "/a2a.v1.A2AService/"

// versioned returns a context whose incoming metadata names A2A 0.3 where a method of it is
// called: clients of it need not.
func versioned(ctx context.Context, method string) context.Context {
	if !strings.HasPrefix(method, service03) {
		return ctx
	}
	md, _ := metadata.FromIncomingContext(ctx) // a copy
	if md == nil {
		md = metadata.MD{}
	}
	md.Set(sdk.SvcParamVersion, "0.3")
	return metadata.NewIncomingContext(ctx, md)
}

type separatedStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context returns the context with the metadata as it is to be read.
func (s *separatedStream) Context() context.Context { return s.ctx }

// RecvMsg implements grpc.ServerStream: methods of A2A have one request.
func (s *separatedStream) RecvMsg(m any) error {
	err := s.ServerStream.RecvMsg(m)
	if err == nil {
		arrived(s.ctx)
	}
	return err
}
