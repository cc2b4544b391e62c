// Package recorder records the calls of concurrent goroutines as a history that straightedge checks.
//
// One file without dependencies: copy it. Go 1.18 or newer.
//
//	r, err := recorder.New("history.jsonl")
//	value, err := recorder.Call(r, "client 1", "read", nil, func() (int, error) { return database.Read() })
//
// Each call is two lines, its events. A lock keeps the lines in the order in which the events happen: the line of a call
// is written before the call starts, the line of its end after it has ended. A file that a crash cuts off can still be
// checked (--partial). Let a process stand for a goroutine: it makes one call at a time.
package recorder

import (
	"encoding/json"
	"errors"
	"os"
	"sync"
)

// Recorder writes events to a file. Set its fields before the first call.
type Recorder struct {
	// Threw has errors that are results of the object, by their names in the history.
	Threw map[string]error
	// Failed has errors that prove that the call had no effect. After any other error, it may have taken effect or not.
	Failed []error

	mutex sync.Mutex
	file  *os.File
	fault error
}

// New creates the file, or empties it.
func New(path string) (*Recorder, error) {
	file, err := os.Create(path)
	return &Recorder{file: file}, err
}

// Call calls run and records it as method(args...) by the process. It returns what run returns.
func Call[T any](r *Recorder, process, method string, args []any, run func() (T, error)) (T, error) {
	if args == nil {
		args = []any{}
	}
	r.write(map[string]any{"type": "call", "process": process, "method": method, "args": args})
	result, err := run()
	r.write(r.end(process, result, err))
	return result, err
}

// Annotate records another event, such as an injected fault.
func (r *Recorder) Annotate(text string) {
	r.write(map[string]any{"annotation": text})
}

// Close closes the file and returns the first error of writing it, if there was one.
func (r *Recorder) Close() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err := r.file.Close(); r.fault == nil {
		r.fault = err
	}
	return r.fault
}

func (r *Recorder) end(process string, result any, err error) map[string]any {
	if err == nil {
		return map[string]any{"type": "return", "process": process, "result": result}
	}
	for name, own := range r.Threw {
		if errors.Is(err, own) {
			return map[string]any{"type": "throw", "process": process, "threw": name}
		}
	}
	for _, own := range r.Failed {
		if errors.Is(err, own) {
			return map[string]any{"type": "failed", "process": process, "failed": err.Error()}
		}
	}
	return map[string]any{"type": "unknown", "process": process, "unknown": err.Error()}
}

func (r *Recorder) write(event map[string]any) {
	line, err := json.Marshal(event)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err == nil {
		_, err = r.file.Write(append(line, '\n'))
	}
	if r.fault == nil {
		r.fault = err
	}
}
