package a2a

// GRPCOptionsWithin are GRPCOptions with another time for the arrival of a request.
var GRPCOptionsWithin = grpcOptions
