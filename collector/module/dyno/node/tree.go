package node

import (
	"fmt"
	"strings"

	"github.com/valyala/fastjson"

	"dyno/collector/module/dyno/counter"
)

// tree is a part of an answer. Versions differ in what they tell: whatever is missing, or of another kind than
// expected, reads as nothing. fastjson, because a hundred nodes tell a megabyte each second.
type tree struct{ value *fastjson.Value }

// parser keeps its memory between answers: a tree is good until the next one is parsed.
type parser struct{ json fastjson.Parser }

func (p *parser) parse(answer []byte) (tree, error) {
	value, err := p.json.ParseBytes(answer)
	if err != nil {
		// Its errors quote the rest of the answer.
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

// children by their names.
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

// figure is nil where there is no whole number.
func (t tree) figure(name string) *counter.Figure {
	found := t.at(name).value
	if found == nil || found.Type() != fastjson.TypeNumber {
		return nil
	}
	value, err := found.Int64()
	if err != nil {
		return nil
	}
	figure := counter.Figure(value)
	return &figure
}

func (t tree) float(name string) (value float64, told bool) {
	found := t.at(name).value
	if found == nil || found.Type() != fastjson.TypeNumber {
		return 0, false
	}
	value, err := found.Float64()
	return value, err == nil
}

func (t tree) boolean(name string) (value, told bool) {
	found := t.at(name).value
	if found == nil {
		return false, false
	}
	value, err := found.Bool()
	return value, err == nil
}

// text is a copy, for events outlive the tree; empty where there is none.
func (t tree) text(names ...string) string {
	found := t.at(names...).value
	if found == nil || found.Type() != fastjson.TypeString {
		return ""
	}
	return strings.ToValidUTF8(string(found.GetStringBytes()), "?")
}
