package openitems_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// The names and figures are invented.
func TestOpenItemsOfManyProgramsAndLanguages(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    []string
	}{
		"DATEV, with a total for each customer": {
			"Rechnungsnummer;Kunde;Rechnungsbetrag;Offener Betrag;Fälligkeit;Belegdatum\n" +
				"RE-1;Nord GmbH;1.200,00;1.200,00;03.07.2026;01.06.2026\nRE-2;Nord GmbH;700,00;50,00;04.07.2026;02.06.2026\n" +
				";Summe Debitor 10001;1.900,00;1.250,00;;\nRE-3;Süd KG;10,00;10,00;05.07.2026;03.06.2026\n" +
				";Summe Debitor 10002;10,00;10,00;;\n;Gesamtsumme;1.910,00;1.260,00;;\n",
			[]string{"RE-1 Nord GmbH 120000 2026-07-03", "RE-2 Nord GmbH 5000 2026-07-04", "RE-3 Süd KG 1000 2026-07-05"},
		},
		"sevDesk": {
			"Rechnungsnr.;Kunde;Rechnungsdatum;Fällig am;Status;Summe brutto;Betrag offen;Währung\n" +
				"R-9;Muster AG;11.10.2026;25.10.2026;Offen;119,00;119,00;EUR\nR-8;Muster AG;01.10.2026;15.10.2026;" +
				"Bezahlt;5,00;0,00;EUR\n",
			[]string{"R-9 Muster AG 11900 2026-10-25"},
		},
		"French": {
			"N° de facture;Client;Date de facture;Date d'échéance;Montant TTC;Reste à payer;Devise\n" +
				"F-12;Atelier Dupont;01/09/2026;30/09/2026;1 200,00;700,00;EUR\nA-1;Atelier Dupont;02/09/2026;" +
				"02/09/2026;-50,00;-50,00;EUR\n" +
				"Total;;;;1 150,00;650,00;\n",
			[]string{"F-12 Atelier Dupont 70000 2026-09-30", "A-1 Atelier Dupont -5000 2026-09-02"},
		},
		"Spanish": {
			"Nº Factura;Cliente;Fecha de factura;Fecha de vencimiento;Importe;Importe pendiente\n" +
				"F1;Talleres Ruiz SL;15/09/2026;15/10/2026;500,00;120,50\n",
			[]string{"F1 Talleres Ruiz SL 12050 2026-10-15"},
		},
		"Dutch": {
			"Factuurnummer;Klant;Factuurdatum;Vervaldatum;Bedrag;Openstaand bedrag\n" +
				"2026-7;Bakker BV;13-09-2026;13-10-2026;€ 1.000,00;€ 250,00\nTotaal;;;;;€ 250,00\n",
			[]string{"2026-7 Bakker BV 25000 2026-10-13"},
		},
		"ERPNext": {
			"Posting Date,Customer,Voucher Type,Voucher No,Due Date,Invoiced Amount,Paid Amount,Outstanding Amount,Currency\n" +
				"2026-10-01,One,Sales Invoice,S-1,2026-10-31,900.0,400.0,500.0,EUR\n" +
				"2026-10-03,One,Sales Invoice,S-2,2026-10-03,-80.0,0.0,-80.0,EUR\nTotal,,,,,820.0,400.0,420.0,\n",
			[]string{"S-1 One 50000 2026-10-31", "S-2 One -8000 2026-10-03"},
		},
		"credits by their type": {
			"Belegart;Belegnummer;Kunde;Fälligkeit;Offener Betrag\nRechnung;1;A;14.10.2026;100,00\nGutschrift;2;A;" +
				"15.10.2026;30,00\n",
			[]string{"1 A 10000 2026-10-14", "2 A -3000 2026-10-15"},
		},
		"credits only": {
			"Rechnungsnummer;Kunde;Fälligkeit;Offener Betrag\nG-1;A;14.10.2026;-30,00\n", []string{"G-1 A -3000 2026-10-14"},
		},
		"a day that is valid in two orders": {
			"Rechnungsnummer;Kunde;Fälligkeit;Offener Betrag\n1;A;04.03.2026;1.000,00\n", []string{"1 A 100000 2026-03-04"},
		},
	} {
		found, err := read(test.content, bank.Options{Currency: "EUR", AsOf: civil.MustParse("2026-11-01")})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		var got []string
		for _, item := range found.OpenItems {
			got = append(got, fmt.Sprintf("%s %s %d %s", item.Number, item.Party, item.Minor, item.Due))
		}
		if strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestATotalThatNoRowsMakeIsRefused(t *testing.T) {
	_, err := read("Rechnungsnummer;Kunde;Fälligkeit;Offener Betrag\n1;A;14.10.2026;10,00\n;Summe Debitor 1;;11,00\n",
		bank.Options{Currency: "EUR", AsOf: civil.MustParse("2026-11-01")})

	if err == nil || !strings.Contains(err.Error(), "line 3: the total 11.00") {
		t.Error(err)
	}
}

func TestBillsOfVendorsInOtherLanguagesAreToBePaid(t *testing.T) {
	for _, heading := range []string{"Lieferant", "Fournisseur", "Proveedor", "Leverancier", "Supplier"} {
		found, err := read("Rechnungsnummer;"+heading+";Fälligkeit;Offener Betrag\n1;A;14.10.2026;10,00\n",
			bank.Options{Currency: "EUR", AsOf: civil.MustParse("2026-11-01")})

		if err != nil || len(found.Lists) != 1 || found.Lists[0].Side != bank.Payable {
			t.Errorf("%s: %+v, %v", heading, found, err)
		}
	}
}
