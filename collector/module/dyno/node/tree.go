package node

import (
	"fmt"
	"strings"

	"github.com/valyala/fastjson"

	"dyno/collector/module/dyno/counter"
)

// tree is a part of a JSON response. Versions of Elasticsearch report different values, so a value that is missing or has an unexpected
// type never causes an error. tree uses fastjson, because a hundred nodes report a megabyte per second.
type tree struct{ value *fastjson.Value }

// parser reuses its memory. A tree is therefore valid only until the parser parses the next response.
type parser struct{ json fastjson.Parser }

func (p *parser) parse(answer []byte) (tree, error) {
	value, err := p.json.ParseBytes(answer)
	if err != nil {
		// The error quotes the rest of the response, which is cut off here.
		reason, _, _ := strings.Cut(err.Error(), "; unparsed tail")
		return tree{}, fmt.Errorf("parsing the answer: %.200s", reason)
	}
	if value.Type() != fastjson.TypeObject {
		return tree{}, fmt.Errorf("parsing the answer: found a %s, expected an object", value.Type())
	}
	return tree{value}, nil
}

func (t tree) at(names ...string) tree {
	if t.value == nil {
		return t
	}
	return tree{t.value.Get(names...)}
}

func (t tree) isObject() bool { return t.value != nil && t.value.Type() == fastjson.TypeObject }

// children returns the children by their names.
func (t tree) children() map[string]tree {
	if !t.isObject() {
		return nil
	}
	object := t.value.GetObject()
	children := make(map[string]tree, object.Len())
	object.Visit(func(name []byte, value *fastjson.Value) { children[string(name)] = tree{value} })
	return children
}

func (t tree) list(name string) []tree {
	var items []tree
	for _, item := range t.at(name).array() {
		items = append(items, tree{item})
	}
	return items
}

func (t tree) array() []*fastjson.Value {
	if t.value == nil {
		return nil
	}
	return t.value.GetArray()
}

// number returns an integer; nil if the value is not an integer.
func (t tree) number(name string) *counter.Value {
	found := t.at(name).value
	if found == nil || found.Type() != fastjson.TypeNumber {
		return nil
	}
	value, err := found.Int64()
	if err != nil {
		return nil
	}
	number := counter.Value(value)
	return &number
}

func (t tree) float(name string) (value float64, known bool) {
	found := t.at(name).value
	if found == nil || found.Type() != fastjson.TypeNumber {
		return 0, false
	}
	value, err := found.Float64()
	return value, err == nil
}

func (t tree) boolean(name string) (value, known bool) {
	found := t.at(name).value
	if found == nil {
		return false, false
	}
	value, err := found.Bool()
	return value, err == nil
}

// text returns the first of these values that is a text; empty if all have another type. It returns a copy, because events outlive the
// tree.
func (t tree) text(names ...string) string {
	found := t.at(names...).value
	if found == nil || found.Type() != fastjson.TypeString {
		return ""
	}
	return strings.ToValidUTF8(string(found.GetStringBytes()), "?")
}
