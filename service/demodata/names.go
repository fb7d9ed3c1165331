package demodata

import (
	"math/rand/v2"
	"strings"
)

type company struct {
	name string
	slug string // first label of the company's e-mail domain, as in slug.example
}

// customerNames lists the fictional customers that pay by invoice.
var customerNames = [...]company{
	{"Halden Freight", "haldenfreight"}, {"Brightwater Clinics", "brightwaterclinics"},
	{"Osprey Analytics", "ospreyanalytics"},
	{"Łódź Logistyka", "lodzlogistyka"}, {"Café Ströbel", "cafestroebel"}, {"株式会社みどり", "midori-kk"},
	{"Ελλάδα Ναυτιλία", "elladanaftilia"}, {"Søndergaard & Sønner", "soendergaard"},
	{"Quarry Lane Schools", "quarrylane"},
	{"Tamarack Credit Union", "tamarackcu"}, {"Peregrine Robotics", "peregrinerobotics"},
	{"Villa Nova Imóveis", "villanovaimoveis"},
	{"Granite Peak Outfitters", "granitepeak"}, {"Lumen Orchard", "lumenorchard"},
	{"Ironwood Manufacturing", "ironwoodmfg"},
	{"Redfern & Hale LLP", "redfernhale"}, {"Saltmarsh Energy", "saltmarshenergy"}, {"Kōbe Precision", "kobeprecision"},
	{"Açaí Norte Foods", "acainorte"}, {"Wexcombe Borough Council", "wexcombe"}, {"Thistledown Media", "thistledown"},
	{"Nordlys Fiskeri", "nordlysfiskeri"}, {"Corvid Security", "corvidsecurity"},
	{"Bluestem Farms Cooperative", "bluestemfarms"},
	{"Zürisee Treuhand", "zuriseetreuhand"}, {"Mosaic Dental Partners", "mosaicdental"},
	{"Cardinal Row Housing", "cardinalrow"},
	{"Fjellheim Hotels", "fjellheimhotels"}, {"Paloma Textiles", "palomatextiles"}, {"Aurelia Biolabs", "aureliabiolabs"},
}

// meteredNames lists the fictional customers that pay small usage charges by card.
var meteredNames = [...]string{
	"Pixel Nook", "Studio Ømland", "Tidepool Games", "Little Fern Bakery", "Rook & Pawn", "Agnès Photographie",
	"Oakhollow Vet",
	"Sunday Loom", "Pedal Parts Depot", "Bento Lane", "Юлия Студия", "Moss & Mortar", "Harbor Yoga",
	"Crate Nine", "Fable Print Shop",
	"Nimbus Tutors", "Ember Ceramics", "Dos Ríos Coffee", "Finch Legal Aid", "Kettle Bay Surf", "Marginalia Books",
	"Polder Bikes",
	"さくら工房", "Tin Roof Theatre", "Verdant Plots", "Wren Accounting", "Zebra Crossing Daycare",
	"Old Mill Brewing", "Hollow Oak Records",
	"Paper Crane Events", "Inkwell Tattoo", "Copperline Electric",
}

// placeWords are combined with trades to names of merchants, such as "Juniper Bistro".
var placeWords = [...]string{
	"Juniper", "Copper Lane", "Harbour", "Maple Court", "Sandpiper", "Foxglove", "Lantern", "Bramble", "Quayside", "Alder",
	"Crescent", "Marigold", "Stonebridge", "Willow Park", "Beacon Hill", "Orchard", "Cinder", "Half Moon",
}

// trade is a kind of merchant, with the memos and prices of its card payments.
type trade struct {
	word          string
	category      string
	atLeast, upTo int64 // lowest and highest price in dollars
	memos         []string
}

var trades = [...]trade{
	{"Bistro", "meals", 12, 480, []string{"Team lunch", "Client dinner", "Lunch with a candidate", "Working dinner"}},
	{"Coffee", "meals", 1, 45, []string{"Coffee for the office", "Coffee with an investor", "Beans, 2 kg"}},
	{"Cabs", "travel", 1, 110, []string{"Ride to the airport", "Ride home, late shift", "Ride to a customer"}},
	{"Rail", "travel", 1, 320, []string{"Train, return", "Train to a customer site", "Seat reservation"}},
	{"Air", "travel", 60, 1_400, []string{"Flight, economy", "Flight change fee", "Extra baggage"}},
	{"Hotel", "travel", 80, 1_800, []string{"Two nights, onsite visit", "One night, conference", "Breakfast and parking"}},
	{"Stationers", "office_supplies", 1, 220, []string{"Paper and pens", "Whiteboard markers", "Printer toner"}},
	{
		"Hardware", "equipment", 8, 1_200,
		[]string{"Cables and adapters", "Standing desk parts", "Replacement laptop charger"},
	},
	{"Books", "training", 5, 260, []string{"Technical books", "Course for two engineers"}},
	{"Print", "marketing", 1, 650, []string{"Business cards", "Banners for the booth", "Stickers"}},
	{"Couriers", "shipping", 1, 160, []string{"Parcel to a customer", "Document courier, same day"}},
	{"Adworks", "advertising", 1, 5_000, []string{"Search campaign", "Sponsored newsletter", "Retargeting"}},
}

// Trades returns the lower-case words with which names of merchants end, with their categories.
func Trades() map[string]string {
	categories := make(map[string]string, len(trades))
	for _, t := range trades {
		categories[strings.ToLower(t.word)] = t.category
	}
	return categories
}

var usageMemos = [...]string{
	"Usage, metered", "API calls over plan", "Extra seats, prorated", "Storage over plan", "Starter plan, monthly",
	"Message credits",
}

// catalog holds templates for the rows that smallRows generates.
type catalog struct {
	purchases []rowTemplate // card payments, fees and payouts
	receipts  []rowTemplate // usage-based payments from customers
}

// rowTemplate holds the texts of a generated ledger row, except its reference.
type rowTemplate struct {
	counterparty, category, memo, method, logo string
	atLeast, upTo                              int64 // plausible range of amounts in cents
}

// newCatalog returns templates for all combinations of merchants and purchases.
func newCatalog() catalog {
	var s catalog
	for i, place := range placeWords {
		for _, t := range trades {
			name, logo := place+" "+t.word, ""
			if i%6 == 0 {
				logo = logoURL(name)
			}
			for _, memo := range t.memos {
				s.purchases = append(
					s.purchases, rowTemplate{name, t.category, memo, "card", logo, t.atLeast * dollar, t.upTo * dollar},
				)
			}
		}
	}
	for range 12 {
		s.purchases = append(s.purchases,
			rowTemplate{"Paylane", "fees", "Card processing fee", "fee", logoURL("Paylane"), dollar, 90 * dollar},
			rowTemplate{
				"Paylane", "payouts", "Payout to a marketplace seller", "payout", logoURL("Paylane"), dollar, 900 * dollar,
			})
	}
	for _, name := range meteredNames {
		for _, memo := range usageMemos {
			s.receipts = append(s.receipts, rowTemplate{name, "usage_billing", memo, "card", "", dollar, 900 * dollar})
		}
	}
	return s
}

// logoURL returns the URL of a company's logo. Its domain is reserved for examples, so it never
// reaches a real server.
func logoURL(name string) string {
	b := []byte("https://logos.example.com/")
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		case 'a' <= c && c <= 'z':
			b = append(b, c)
		case c == ' ':
			b = append(b, '-')
		}
	}
	return string(append(b, ".png"...))
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }
