package report

import (
	"slices"

	"tarmac/client/forecast"
)

// weeksSection shows the estimate of the next thirteen weeks.
func (r *Report) weeksSection(f format) section {
	s := section{ID: "weeks", Title: "The next thirteen weeks (estimate)"}
	if r.ForecastProblem != nil {
		return r.noteAlive(f, s.note("No forecast: "+r.ForecastProblem.Error()+"."))
	}
	if p, ok := weeksPicture(r.Forecast); ok && !f.masked {
		s.Pictures = []picture{p}
	}
	t := table{Columns: []column{{Title: "Week until"}, {"In", true, true}, {"Out", true, true},
		{"Spendable", true, false}, {"± Band", true, false}}}
	const afterOut = 3
	if r.Forecast.KnowsBills() {
		t.Columns = slices.Insert(t.Columns, afterOut, column{"Bills", true, true})
	}
	for i := range r.Forecast.Weeks {
		w := r.Forecast.Figures(i)
		cells := []string{
			r.Forecast.Weeks[i].Last.String(), f.total(w.In), f.total(w.Out), f.total(w.Cash), f.total(w.Band),
		}
		if r.Forecast.KnowsBills() {
			cells = slices.Insert(cells, afterOut, f.total(w.Bills))
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	s.Tables = []table{t}
	sentences := r.Forecast.Sentences()
	if f.masked {
		return s.note(sentences[0]) // the others depend on amounts
	}
	s.Notes = slices.Clone(sentences)
	return r.noteAlive(f, s.note(r.Invoices.Problem))
}

// noteAlive adds sentences that say whether the company is default alive. They depend on amounts.
func (r *Report) noteAlive(f format, s section) section {
	if f.masked {
		return s
	}
	for _, sentence := range forecast.AliveSentences(r.Alive, r.AliveProblem) {
		s = s.note(sentence)
	}
	return s
}

// weeksPicture shows the estimated cash, within the band of the tests. It returns
// false if an amount is unknown.
func weeksPicture(f *forecast.Forecast) (p picture, ok bool) {
	const weeks = forecast.Weeks
	cash, above, below := [weeks + 1]int64{f.Now.Minor}, [weeks + 1]int64{f.Now.Minor}, [weeks + 1]int64{f.Now.Minor}
	known := !f.Now.Unknown
	for i := range f.Weeks {
		w := &f.Weeks[i]
		high, low := w.Cash, w.Cash
		high.Add(w.Band)
		low.Add(-w.Band)
		known = known && !high.Unknown && !low.Unknown
		cash[i+1], above[i+1], below[i+1] = w.Cash.Minor, high.Minor, low.Minor
	}
	if !known {
		return p, false
	}
	s := newScale(slices.Concat(above[:], below[:])...)
	var centre, band [][2]int
	for i := range cash {
		x := i * extent / weeks
		centre = append(centre, [2]int{x, s.fromTop(cash[i])})
		band = append(band, [2]int{x, s.fromTop(above[i])})
	}
	for i, cents := range slices.Backward(below[:]) {
		band = append(band, [2]int{i * extent / weeks, s.fromTop(cents)})
	}
	p = picture{
		Title: "Spendable cash (estimate)", Axis: s.axis(f.Basis.Currency),
		Shapes: []shape{
			{Kind: area, Class: "band", Points: points(band)}, {Kind: line, Class: "expected", Points: points(centre)},
		},
		Legend: []legend{{"now", "estimate"}, {"band", "band of the tests"}},
	}
	for i := 2; i < weeks; i += 3 {
		p.Ticks = append(p.Ticks, mark{(i + 1) * extent / weeks, f.Weeks[i].Last.Time().Format("2 Jan")})
	}
	return p, true
}
