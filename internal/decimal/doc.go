// Package decimal rounds numbers that are written in digits to floating point, in about
// a microsecond whatever they are: package strconv takes up to fifty for some, which a
// peer can send by the thousand.
package decimal
