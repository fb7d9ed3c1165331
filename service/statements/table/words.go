package table

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// role says what a column contains.
type role uint8

const (
	roleNone      role = iota
	roleBooked         // booking date
	roleDate           // date of an unknown kind
	roleTraded         // date on which the transaction was made or started
	roleValueDate      // value date
	// roleValue is a column named "value" or "valuta": a value date, an amount or a currency,
	// depending on its cells.
	roleValue
	roleAmount
	roleDebit
	roleCredit
	roleNet   // amount after fees
	roleGross // amount before fees
	roleFee
	roleSign // word for debit or credit
	roleBalance
	roleOpening // opening balance, repeated in each row or in a row of its own
	roleClosing
	roleCurrency
	roleOriginal // amount in the currency of the payment
	roleOriginalCurrency
	roleRate
	roleAccount      // number or name of the account
	roleSomeAccount  // number of the own account or of the other party's account
	roleOtherAccount // account number of the other party
	roleParty        // name of the other party
	rolePayer        // name of the payer
	rolePayee        // name of the payee
	roleText
	roleReference
	roleID
	roleStatus
	roleMethod
	roleZone
	roleImpact // whether the line changes the balance; only in files of PayPal
	roleCard   // number or holder of a card
	roleInvoice
)

// headers maps the column names in exports of banks and payment services to their roles. Names are
// in the form that fold returns. The map is made when the first table is read, because folding so
// many names would make every command start later.
var headers = sync.OnceValue(func() map[string]role { return headerWords(headerNames()) })

func headerNames() map[role]string {
	return map[role]string{
		roleBooked: `booking date|posting date|post date|posted date|date posted|posted|posted on|booked|
		booked at|booked date|book date|settled date|settlement date|date settled|completed date|
		date completed|completion date|process date|processed date|entry date|effective date|
		cleared date|buchungstag|buchungsdatum|buchung|gebucht am|verbuchungsdatum|datum buchung|
		boekingsdatum|boekdatum|date de comptabilisation|date comptable|date comptabilisation|
		date d operation|date operation|dateop|date ope|fecha contable|fecha operacion|
		fecha de operacion|f operacion|f contable|fecha oper|fecha operativa|data contabile|
		data operazione|data registrazione|data contabilizzazione|data mov|data movimento|
		data do movimento|data lancamento|data de lancamento|data operacao|data contabilistica|
		bokforingsdag|bokforingsdatum|bokford|bogforingsdato|bogfort|bokfort dato|bokforingsdato|
		bokfort|bokfores|kirjauspaiva|kirjauspvm|data ksiegowania|data zaksiegowania|
		datum zauctovani|datum uctovani|datum zuctovani|konyveles datuma|konyvelesi datum|
		konyveles napja|datum knjizenja|transaction posted date|posted transaction date`,
		roleDate: `date|datum|fecha|data|dato|paivamaara|pvm|paiva|tarih|islem tarihi|datum transakce|
		дата|дата операции|日付|取引日|お取引日|年月日|交易日期|
		日期|记账日期|交易时间|거래일자|거래일|거래일시|transaction time|
		timestamp|datetime|date time|day|dia|data transakcji|data operacji|fecha movimiento|
		fecha de transaccion|teljesites napja|ertek datum|tranzakcio datuma|data tranzactiei|
		data tranzactie|data operatiune|date gmt|kuupaev|datums`,
		roleTraded: `datum verrichting|datum transactie|transaction date|trans date|trx date|txn date|
		tran date|trade date|purchase date|started date|date started|initiated date|created|
		created at|created date|creation date|created on|authorised on|authorized on|
		date initiated|transaktionsdatum|transaktionsdag|transaktionstag|umsatztag|kaufdatum|
		belegdatum|belegtag|transactiedatum|transactie datum|date de transaction|date transaction|
		date de la transaction|date de l operation|fecha transaccion|fecha de compra|
		data transazione|data da transacao|data transacao|kopdatum|kobsdato|kjopsdato|
		transaksjonsdato|transaktionsdato|maksupaiva|tapahtumapaiva|datum provedeni|datum platby|
		tranzakcio datuma es ideje|data valuta operacji|abschlussdatum|local date|created utc`,
		roleValueDate: `value date|date de la valeur|valuedate|val date|value dt|interest date|available on|available date|
		available on utc|valutadatum|valuta datum|valutadatum transactie|wertstellung|
		wertstellungsdatum|wertstellungstag|wert datum|valutastellung|wertstellung valuta|
		valutadag|valutadato|rentedatum|rentedato|date de valeur|date valeur|dateval|fecha valor|
		f valor|fecha de valor|data valuta|data valor|data de valor|arvopaiva|data waluty|
		datum valuty|erteknap|valuta dátum|ränteDatum|datum valutacije|valuta date|valutatag|
		起息日|valutadatum utc|vaartuspaev`,
		roleValue: `value|wert|valuta|valeur|valor|valuut`,
		roleAmount: `zauctovana castka|castka v mene|mutatie|amount|transaction amount|trans amount|amt|
		net amount|total amount|amount total|payment amount|billing amount|billed amount|
		booked amount|settlement amount|amount in account currency|account amount|sum|total|paid|
		betrag|umsatz|buchungsbetrag|umsatzbetrag|betrag in kontowahrung|einzelbetrag|
		credit debit amount|debit credit amount|debit credit|abrechnungsbetrag|montant|
		montant de l operation|montant operation|montant net|importe|importe movimiento|cantidad|
		monto|importe eur|importo|ammontare|importo operazione|importancia|montante|quantia|
		valor movimento|valor da transacao|valor eur|valor r$|bedrag|transactiebedrag|belopp|belop|belob|
		transaktionsbelopp|maara|summa|kwota|kwota operacji|kwota transakcji|
		kwota w walucie rachunku|kwota platnosci|castka|objem|castka v mene uctu|osszeg|
		tranzakcio osszege|terheles joviiras|suma|iznos|tutar|islem tutari|сумма|
		сумма операции|сумма платежа|金額|取引金額|入出金|入出金(円)|金额|
		交易金额|发生额|거래금액|금액`,
		roleDebit: `debit|debits|debit amount|withdrawal|withdrawals|withdrawal amount|withdrawal amt|
		amount debit|money out|paid out|out|outflow|payments|spent|debit amt|dr|dr amount|
		debit out|paid money|amount out|charge amount|charges|soll|belastung|lastschrift|ausgang|
		ausgabe|ausgaben|belastungen|abgang|debet|af|uit|afschrijving|debit montant|montant debit|
		funds out|debits montant|depense|depenses|cargo|cargos|debe|gasto|gastos|retiros|retiro|salida|
		adeudo|dare|addebiti|addebito|uscite|uscita|debito|debitos|saida|saidas|importo addebito|
		uttag|ut|ut fra konto|utgift|utgifter|ud|haevet|belastet|debetbelopp|otto|panot ja otot|
		veloitus|obciazenia|obciazenie|wydatki|debety|kwota obciazenia|vydaje|na vrub|terheles|
		terhelesek|kiadas|borc|isplata|расход|списание|出金|お引出し|
		出金金額|引出|お支払金額|支払金額|支払い金額|ご利用金額|支出|支出金额|
		借方|借方发生额|출금액|출금|출금금액|지급금액|찾으신금액`,
		roleCredit: `inflow amount|credit|credits|credit amount|deposit|deposits|deposit amount|deposit amt|
		amount credit|money in|paid in|in|inflow|received|receipts|credit amt|cr|cr amount|
		amount in|funds in|haben|gutschrift|eingang|einnahme|einnahmen|gutschriften|zugang|bij|
		bijschrijving|credit montant|montant credit|recette|recettes|abono|abonos|haber|ingreso|
		ingresos|depositos|deposito|entrada|avere|accrediti|accredito|entrate|entrata|credito|
		creditos|entradas|importo accredito|insattning|inn|inn pa konto|inntekt|inntekter|ind|
		indsat|kreditbelopp|pano|hyvitys|uznania|uznanie|wplywy|kredyty|kwota uznania|prijmy|
		ve prospech|jovairas|jovairasok|bevetel|alacak|uplata|приход|зачисление|
		поступление|入金|お預入れ|入金金額|預入|お預り金額|預かり金額|収入|
		收入|收入金额|贷方|贷方发生额|입금액|입금|입금금액|맡기신금액`,
		roleNet: `net|netto|net amount after fees|net total|importe neto|montant net percu|netto betrag|
		nettobetrag`,
		roleGross: `gross|brutto|gross amount|bruto|brut|lordo|bruttobetrag`,
		roleFee: `fee|fees|fee amount|amount fee|transaction fee|total fees|commission|commissions|gebuhr|
		gebuhren|entgelt|frais|comision|comisiones|commissione|commissioni|comissao|kosten|avgift|
		gebyr|oplata|prowizja|poplatek|stripe fee|processing fee|fremde gebuhren|spesen|
		commission fee|teenustasu`,
		roleSign: `debit or credit|credit or debit|debit credit indicator|credit debit indicator|
		credit debit|dr cr|cr dr|d c|c d|dc|cd|soll haben|s h|sh|soll haben kennzeichen|
		soll haben kz|af bij|bij af|creditdebet|credit debet|debet credit|debit credit code|sens|
		signe|sign|signo|segno|transaction type debit credit|type debit credit|debetcredit|
		dare avere|debe haber|direction|in out|plus minus|vorzeichen|cargo abono|
		credit debit code|deebet kreedit|deebet kreedit d c|d k|debets kredits|debetas kreditas`,
		roleBalance: `balance|guthaben|verfugbares guthaben|avoir|solde disponible|running balance|running bal|bal|
		account balance|accountbalance|closing balance|
		balance after|balance after transaction|available balance|ledger balance|current balance|
		book balance|new balance|balance amount|remaining balance|posted balance|cleared balance|
		ending balance after|saldo|kontostand|saldo nach buchung|saldo nach umsatz|neuer saldo|
		saldo na mutatie|saldo na trn|saldo po operacji|saldo po transakcji|kontosaldo|
		bokfort saldo|bokford saldo|bogfort saldo|disponibelt saldo|tillgangligt saldo|solde|
		solde apres operation|solde comptable|saldo contable|saldo disponible|saldo final|
		saldo resultante|saldo contabile|saldo disponibile|saldo contabilistico|saldo progressivo|
		saldo posterior|saldo despues|saldo rachunku|zustatek|zustatek po transakci|
		szamlaegyenleg|egyenleg|konyvelt egyenleg|bakiye|stanje|sold|остаток|баланс|
		残高|差引残高|取引後残高|取引後残高(円)|
		余额|账户余额|잔액|거래후잔액|거래 후 잔액|endsaldo|
		eindsaldo|likutis|atlikums`,
		roleOpening: `beginning balance|opening balance|initial balance|starting balance|start balance|
		startsaldo|beginsaldo|anfangssaldo|saldo inicial|saldo iniziale|solde initial|
		balance before`,
		roleClosing: `ending balance|final balance|end balance|endbestand`,
		roleCurrency: `buchungswahrung|currency|currency code|ccy|curr|payment currency|account currency|
		settlement currency|billing currency|transaction currency|wahrung|waehrung|whg|
		kontowahrung|devise|monnaie|devises|divisa|moneda|valuta|moeda|munt|muntsoort|
		valuuttakoodi|waluta|waluta rachunku|mena|mena uctu|devizanem|penznem|deviza|doviz|
		para birimi|валюта|通貨|币种|货币|通화|valuta konta|valutakod|valutakode|
		valutasoort|muntcode|kontovaluta|moneta|valuuta|valiuta`,
		roleOriginal: `original amount|local amount|amount foreign currency|foreign amount|
		foreign currency amount|orig amount|originalamount|amount in original currency|
		source amount|source amount before fees|merchant amount|ursprungsbetrag|originalbetrag|
		fremdwahrungsbetrag|betrag in fremdwahrung|betrag original|lastschrift ursprungsbetrag|
		montant d origine|montant en devise|importe original|importe en divisa|importo originale|
		importo in divisa|oorspr bedrag|oorspronkelijk bedrag|ursprungligt belopp|utlandsk belopp|
		oprindeligt belob|kwota oryginalna|kwota w walucie|puvodni castka|eredeti osszeg|
		converted amount|local value`,
		roleOriginalCurrency: `original currency|local currency|foreign currency|type foreign currency|orig currency|
		originalcurrency|original currency code|merchant currency|exchange from|originalwahrung|
		fremdwahrung|ursprungswahrung|devise d origine|divisa original|divisa originale|
		oorspr munt|ursprunglig valuta|oprindelig valuta|waluta transakcji|puvodni mena|
		eredeti devizanem`,
		roleRate: `exchange rate|rate|fx rate|conversion rate|kurs|wechselkurs|umrechnungskurs|devisenkurs|
		taux de change|taux|tipo de cambio|cambio|tasso di cambio|koers|wisselkoers|vaxelkurs|
		valutakurs|kurs walutowy|smenny kurz|arfolyam`,
		roleAccount: `auftragskonto|iban du compte|posted account|iban auftragskonto|own account|account name|
		source account|
		from account number|accountlabel|accountnum|rekening|iban bban|account id|
		account used|eigene iban|konto auftraggeber|own iban|your account|
		identifikation eigenes konto|szamlaszam|rachunek|numer rachunku|cislo uctu|referenzkonto|
		auftraggeberkonto|iban auftraggeberkonto|product name|accountnumber|number of account|
		kontonamn|kontonavn|kliendi konto|saskaitos nr|klienta konts|口座番号|账号|계좌번호|счет`,
		roleSomeAccount: `account|bank account|account number|account no|acct|acct number|acct no|iban|konto|kontonummer|
		konto nr|kontonr|konto nummer|compte|numero de compte|n de compte|cuenta|numero de cuenta|
		conto|numero conto|conta|numero da conta|rekeningnummer|account iban|tilinumero|
		kontonummer iban|iban kontonummer|hesap|hesap no`,
		roleOtherAccount: `counterparty account|iban de la contrepartie|counterparty iban|counterparty account number|
		partner iban|
		payee account number|beneficiary account number|beneficiary iban|beneficiary account|
		recipient account|other account|to account|tegenrekening|tegenrekeningnummer|
		tegenrekening iban bban|iban tegenrekening|iban zahlungsbeteiligter|iban zahlungspartner|
		gegenkonto|gegenkonto iban|iban gegenkonto|kontonummer empfanger|compte beneficiaire|
		iban beneficiario|cuenta destino|cuenta beneficiario|conto beneficiario|saajan tilinumero|
		modtagerkonto|partner iban szama|partner szamlaszama|protiucet|cislo protiuctu|
		numer rachunku kontrahenta|rachunek kontrahenta|对方账号|상대계좌번호|
		counterparty account id|saaja maksja konto|mottagarkonto|motkonto|tilinumero saaja`,
		roleParty: `handelaar|nom de la contrepartie|contrepartie|gegenkonto inhaber|kontoinhaber gegenkonto|
		contrepartie nom|nom du tiers|nom du beneficiaire|auftraggebername|empfangername|name|payee|payee name|
		payer name|merchant|
		merchant name|counterparty|counterparty name|counter party|party|partner name|partner|
		vendor|beneficiary|beneficiary name|recipient|recipient name|contact|contact name|
		name zahlungsbeteiligter|zahlungsbeteiligter|auftraggeber empfanger|
		auftraggeber beguenstigter|auftraggeber begunstigter|beguenstigter zahlungspflichtiger|
		begunstigter zahlungspflichtiger|begunstigter auftraggeber|empfanger|empfaenger|
		empfaenger 1|empfaenger 2|empfanger auftraggeber|zahlungsempfanger|
		auftraggeber zahlungsempfanger|empfanger zahlungspflichtiger|partnername|gegenpartei|
		naam omschrijving|naam|naam tegenpartij|tegenpartij|tegenrekeninghouder|
		naam tegenrekening|naam begunstigde|beneficiaire|tiers|nom|donneur d ordre|supplierfound|
		beneficiario|ordenante|nombre|comercio|controparte|nome|mottagare|avsandare|modtager|navn|
		saaja maksaja|nimi|kontrahent|odbiorca|nadawca|nazwa kontrahenta|nadawca odbiorca|
		nazev protiuctu|protistrana|nazev protistrany|partner neve|partner nev|alici|
		получатель|контрагент|相手先|取引先|对方户名|交易对方|
		거래처|상대계좌예금주명|zahlungspartner|naam ontvanger|beneficiary payer|saaja maksja|
		saaja maksja nimi|gavejas|gavejas moketojas|moketojas gavejas|sanemejs maksatajs`,
		rolePayer: `payer|from|zahlungspflichtiger|zahlungspflichtige r|debtor|maksaja|sender|from name|
		kuldo neve`,
		rolePayee: `to|zahlungsempfanger in|creditor|maksunsaaja|saaja|to name`,
		roleText: `toelichting|locatie|description|descriptions|details|detail|transaction details|
		transaction description|narrative|narration|memo|note|notes|particulars|text|remarks|
		remark|transaction remarks|transaction|description 1|description 2|extended details|
		bank description|payment details|more details|label|original description|title|subject|
		additional information|message|booking text|item title|comment|notes and tags|purpose|
		information|verwendungszweck|buchungstext|vorgang verwendungszweck|beschreibung|
		beschreibung1|beschreibung2|beschreibung3|avisierungstext|bezeichnung|zahlungsgrund|zweck|
		bemerkung|buchungsinformation|buchungsdetails|mitteilung|transaktionsbeschreibung|
		buchungs details|verwendungszweck 1|verwendungszweck 2|libelle|libelle operation|
		libelle de l operation|remarque|designation|nature de l operation|detail de l operation|
		informations complementaires|motif|communication|concepto|concepto ampliado|descripcion|
		movimiento|mas datos|observaciones|detalle|detalles|glosa|descrizione|
		descrizione operazione|descrizione operazioni|causale|descrizione estesa|dettagli|
		note operazione|descricao|historico|descricao do movimento|descritivo|detalhes|
		omschrijving|omschrijving 1|omschrijving 2|omschrijving 3|mededelingen|mededeling|
		beskrivning|rubrik|meddelande|transaktion|tekst|beskrivelse|forklaring|posteringstekst|
		besked|selitys|viesti|otsikko|opis|opis operacji|tytul|tytul operacji|opis transakcji|
		szczegoly|zprava pro prijemce|popis|poznamka|zprava pro me|kozlemeny|megjegyzes|
		konyvelesi informaciok|aciklama|описание|назначение платежа|
		摘要|摘要内容|内容|お取引内容|取引内容|入出金内容|適用|适用|备注|附言|用途|적요|
		내용|거래내용|기재내용|title description|bemerkungen|statement description|
		activity|particulars description|bookingtext|item description|selgitus|paaiskinimai|
		mokejimo paskirtis|informacija sanemejam`,
		roleReference: `reference|ref|ref no|reference number|reference no|ref no cheque no|cheque number|
		cheque no|check number|check no|check|check or slip|chq ref no|chq no|check slip|serial|
		payment reference|customer reference|bank reference|end to end reference|end to end id|
		kundenreferenz|kundenreferenz end to end|referenz|referenznummer|zahlungsreferenz|
		mandatsreferenz|betalingskenmerk|kenmerk|reference de l operation|numero de cheque|
		referencia|riferimento|referens|referencenummer|viite|viitenumero|variabilni symbol|vs|
		document number|voucher|verifikationsnummer|invoice id|invoice number|reference1|ref ref|
		transaction reference|arkivreferanse|kid|ocr|payment ref|viitenumber|dokumendi number|
		imokos kodas|dok nr`,
		roleID: `id|identifiant de transaction|transaction id|transactionid|trans id|txn id|unique id|uuid|
		transaction number|
		transaction no|balance transaction id|transferwise id|fitid|ref id|transaktions nr|
		transaktionsnummer|transaktions id|buchungsnummer|volgnr|volgnummer|transactiereferentie|
		transaction reference number|identificador|identifiant|numero d operation|
		arkistointitunnus|id operace|id transakcji|tranzakcioazonosito|zkb referenz|
		bank transaction id|balance transaction|number|no|nr|radnummer|arkivref|trnid|
		entry reference|bankreferenz|id pohybu|arhiveerimistunnus|iraso nr|ieraksta nr`,
		roleStatus: `status|state|statetype|transaction status|transaction state|booking status|payment status|
		posting status|info|statut|etat|estado|stato|buchungsstatus|tila|stav|allapot|durum|
		статус|状態|状态|상태|umsatzstatus|posted status|pending`,
		roleMethod: `type|methode de paiement|mode de paiement|transaction type|tran type|trans type|payment type|
		payment method|method|
		category type|mutatiesoort|umsatzart|umsatztyp|buchungsart|vorgang|art|transaktionsart|
		buchungsschlussel|type of transaction|type d operation|type operation|type de transaction|
		tipo|tipo de movimiento|tipo movimiento|tipo operazione|tipo de operacion|transaktionstyp|
		betaalwijze|laji|rodzaj operacji|typ operacji|typ transakcji|typ|typ pohybu|
		tranzakcio tipusa|reporting category|transaction code|bai code|islem tipi|tipo transacao|
		kind|rodzaj transakcji|code|tehingu tuup`,
		roleZone:   `time zone|timezone|tz|zeitzone|fuseau horaire|zona horaria`,
		roleImpact: `balance impact|auswirkung auf guthaben|impact sur le solde`,
		roleCard: `card no|card number|card member|cardid|card id|card|card holder|cardholder|
		card holder name|kartennummer|karteninhaber|kreditkartennummer|kartennr|karte|
		numero de carte|carte|numero de tarjeta|tarjeta|numero carta|numero cartao|cartao|
		kaartnummer|kortnummer|korttinumero|numer karty|cislo karty|kartyaszam|kreditkarte|
		カード番号|ご利用者|卡号|카드번호`,
		roleInvoice: `due date|due|amount due|invoice date|open balance|invoice amount|days past due|terms|
		aging|date due|past due|amount paid|falligkeitsdatum|fallig am|rechnungsnummer|
		rechnungsdatum|offener betrag|date d echeance|echeance|fecha de vencimiento|vencimiento|
		data scadenza|scadenza|vervaldatum|factuurnummer|invoice total|amount remaining|
		balance due|order id|order number|quantity|qty|unit price|price|sku|hours|employee`,
	}
}

func headerWords(lists map[role]string) map[string]role {
	all := map[string]role{}
	for r, list := range lists {
		for name := range strings.SplitSeq(list, "|") {
			if name = fold(name); all[name] == roleNone || all[name] > r {
				all[name] = r
			}
		}
	}
	return all
}

// unfolded replaces letters that Unicode does not decompose into a basic letter and an accent.
var unfolded = strings.NewReplacer("ß", "ss", "ø", "o", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d", "ı",
	"i", "ð", "d")

// fold returns a text in lower case without accents. It replaces each run of characters that are
// neither letters nor digits by one blank.
func fold(text string) string {
	ascii := strings.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
	text = strings.ToLower(text)
	if !ascii {
		text = norm.NFD.String(unfolded.Replace(text))
	}
	var b strings.Builder
	b.Grow(len(text))
	gap := false
	for _, c := range text {
		switch {
		case !ascii && unicode.Is(unicode.Mn, c):
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(c)
		default:
			gap = true
		}
	}
	if ascii {
		return b.String()
	}
	return norm.NFC.String(b.String())
}
