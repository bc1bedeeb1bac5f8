package a2a

import (
	"context"
	"strings"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// GRPCOptions are the options that do for a gRPC server what [HTTP] does for a handler,
// as far as it applies: several extensions in one value are separated, and a request of
// more than MaxMessage bytes is refused (by gRPC itself, as RESOURCE_EXHAUSTED). The
// SDK names the activated extensions in the trailer.
//
// What gRPC cannot do: data parts arrive as google.protobuf.Struct, where numbers are
// doubles, members have no order, and of repeated members the protobuf library has kept
// only the last.
func GRPCOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(MaxMessage),
		grpc.ChainUnaryInterceptor(func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			return handler(separated(ctx), req)
		}),
		grpc.ChainStreamInterceptor(func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			return handler(srv, &separatedStream{stream, separated(stream.Context())})
		}),
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

type separatedStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context returns the context with the separated metadata.
func (s *separatedStream) Context() context.Context { return s.ctx }
