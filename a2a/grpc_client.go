package a2a

import (
	"context"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// eventOverhead is what an event of a stream counts beside its bytes: one of none is an
// event too.
const eventOverhead = 16

// grpcDialOptions are the options of a client's connection over gRPC. Answers are read as
// strictly as requests are, see [GRPCOptions], and within the bounds of an answer over
// HTTP: a stream counts as a whole.
func grpcDialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithNoProxy(), grpc.WithDisableServiceConfig(), grpc.WithMaxHeaderListSize(maxHeaders),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxReply), grpc.ForceCodecV2(newProtobuf())),
		grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string, req, answer any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
			return answered(ctx, invoke(ctx, method, req, answer, conn, options...))
		}),
		grpc.WithChainStreamInterceptor(func(ctx context.Context, d *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption) (grpc.ClientStream, error) {
			s, err := open(ctx, d, conn, method, options...)
			if err != nil {
				return nil, answered(ctx, err)
			}
			return &boundedStream{ClientStream: s, left: maxReply}, nil
		}),
	}
}

// boundedStream is a stream of answers that together are within the bounds of one.
type boundedStream struct {
	grpc.ClientStream
	left int
}

// RecvMsg implements grpc.ClientStream.
func (s *boundedStream) RecvMsg(m any) error {
	if err := s.ClientStream.RecvMsg(m); err != nil {
		if err == io.EOF {
			return err
		}
		return answered(s.Context(), err)
	}
	if v, ok := m.(proto.Message); ok {
		s.left -= proto.Size(v) + eventOverhead
	}
	if s.left < 0 {
		return fmt.Errorf("%w: it exceeds the limit of %d bytes", errReply, maxReply)
	}
	return nil
}

// answered records where an error is none that the agent answered with. gRPC makes errors
// of its own for what happens on the way, by the same codes and without details: whether
// the agent got the request is not known then.
func answered(ctx context.Context, err error) error {
	s, ok := status.FromError(err)
	if err == nil || ok && len(s.Details()) > 0 && s.Code() != codes.Unavailable {
		return err
	}
	switch s.Code() {
	case codes.InvalidArgument, codes.NotFound, codes.AlreadyExists, codes.PermissionDenied, codes.FailedPrecondition, codes.OutOfRange, codes.Unimplemented, codes.Unauthenticated:
		return err // none of which comes from the way once the request is out
	}
	replyFrom(ctx).lose()
	return err
}
