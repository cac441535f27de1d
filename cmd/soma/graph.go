package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/awalterschulze/gographviz"

	"soma.cell/ir"
	"soma.cell/ir/effects"
)

// drawing is a DOT graph of the machines of a system. Edges carry the handlers that may take
// them, judged by what their moves state; an edge that no handler takes is dashed.
type drawing struct {
	calls *effects.Graph
	dot   *gographviz.Graph
}

// drawMachines draws the machines of the cells: one plainly, several as clusters. The error
// is a name that DOT cannot hold.
func drawMachines(sys *ir.System, cells []*ir.Cell) (string, error) {
	d := &drawing{calls: effects.NewGraph(sys), dot: gographviz.NewGraph()}
	if err := d.dot.SetName("soma"); err != nil {
		return "", err
	}
	if err := d.dot.SetDir(true); err != nil {
		return "", err
	}
	if err := d.dot.AddAttr("soma", "rankdir", "LR"); err != nil {
		return "", err
	}
	for _, c := range cells {
		if err := d.machine(c, len(cells) > 1); err != nil {
			return "", err
		}
	}
	return d.dot.String(), nil
}

func (d *drawing) machine(c *ir.Cell, cluster bool) error {
	m := c.Machine
	parent, prefix := "soma", ""
	if cluster {
		prefix = c.Name + "." + m.Name + "."
		parent = quoted("cluster_" + c.Name + "." + m.Name)
		if err := d.dot.AddSubGraph("soma", parent, map[string]string{"label": quoted(c.Name + "." + m.Name)}); err != nil {
			return err
		}
	}
	for _, s := range m.States {
		if err := d.dot.AddNode(parent, quoted(prefix+s), stateLook(m, s)); err != nil {
			return err
		}
	}
	for _, e := range m.Edges {
		if err := d.dot.AddEdge(quoted(prefix+e.From), quoted(prefix+e.To), true, d.edgeLook(c, e)); err != nil {
			return err
		}
	}
	return nil
}

// stateLook marks the initial state by a bold rim and terminal ones by a double rim.
func stateLook(m *ir.Machine, state string) map[string]string {
	look := map[string]string{"label": quoted(state), "shape": "circle"}
	if m.Terminal(state) {
		look["shape"] = "doublecircle"
	}
	if state == m.Initial {
		look["style"] = "bold"
		look["xlabel"] = quoted("initial")
	}
	return look
}

func (d *drawing) edgeLook(c *ir.Cell, e *ir.MachineEdge) map[string]string {
	takers := d.takers(c, e)
	label := strings.Join(takers, ", ")
	if e.Guard != "" {
		label = strings.TrimSpace(label + " [" + e.Guard + "]")
	}
	look := map[string]string{}
	if label != "" {
		look["label"] = quoted(label)
	}
	if len(takers) == 0 {
		look["style"] = "dashed"
	}
	return look
}

// takers are the handlers whose own moves may take the edge.
func (d *drawing) takers(c *ir.Cell, e *ir.MachineEdge) []string {
	var out []string
	for _, a := range d.calls.Automata {
		sum := d.calls.Direct(a)
		if len(sum.Unknown) > 0 || slices.ContainsFunc(sum.Moves, func(m effects.Move) bool { return mayTake(m, c.Name, e) }) {
			out = append(out, qualified(c.Name, a.Cell, a.Name))
		}
	}
	return out
}

// quoted is a DOT identifier in quotes.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(printable(s)) + `"`
}

// machinesNamed are the cells with a machine; of that name, or of that cell, when one is
// given. The error names what there is.
func machinesNamed(sys *ir.System, name string) ([]*ir.Cell, error) {
	var all []string
	var found []*ir.Cell
	for _, c := range sys.Cells {
		if c.Machine == nil {
			continue
		}
		all = append(all, strconv.Quote(c.Machine.Name))
		if name == "" || name == c.Machine.Name || name == c.Name || name == c.Name+"."+c.Machine.Name {
			found = append(found, c)
		}
	}
	switch {
	case len(all) == 0:
		return nil, usageError(noMachines)
	case len(found) == 0:
		return nil, usageError(noMachineAmong(name, all))
	}
	return found, nil
}
