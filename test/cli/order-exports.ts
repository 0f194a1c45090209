/** A file as a shop system, bank or database exports it, with invented orders, and what is read of it. */
export interface Export {
  readonly system: string;
  /** Values of `--map`, separated by `; `. */
  readonly map: string;
  readonly fraud: string;
  readonly good: string;
  readonly delimiter?: string;
  /** Further options: the zone of times without one, and what two readings need. */
  readonly zone?: string;
  readonly encoding?: 'latin1' | 'utf16le';
  readonly csv: string;
  /** Orders by time: the time, the amount and the outcome. */
  readonly orders: string;
  /** What is said about the other rows, or about the file. */
  readonly problems?: readonly string[];
}

const NEGATIVE = 'an amount that is not negative: a refund is no order';

export const EXPORTS: readonly Export[] = [
  {
    system: 'Shopify',
    map: 'time=Created at; email=Email; phone=Billing Phone; amount=Total; outcome=Risk Level',
    fraud: 'high',
    good: 'low',
    csv: `Name,Email,Financial Status,Paid at,Currency,Total,Created at,Lineitem quantity,Billing Phone,Risk Level
#1001,a@example.com,paid,2024-03-05 10:14:05 -0500,USD,1234.50,2024-03-05 10:14:00 -0500,1,'+15550100199,Low
#1001,a@example.com,,,,,2024-03-05 10:14:00 -0500,2,,
#1002,b@example.com,refunded,2024-03-11 09:00:00 -0400,USD,80.00,2024-03-11 08:59:59 -0400,1,,High`,
    orders: '2024-03-05T15:14:00Z 1234.5 good, 2024-03-11T12:59:59Z 80 fraud',
  },
  {
    system: 'WooCommerce',
    map: 'time=date; email=billing_email; phone=billing_phone; ip=customer_ip; amount=order_total; outcome=status',
    fraud: 'fraud-blocked',
    good: 'completed',
    zone: 'Europe/Vienna',
    csv: `order_id,order_number,date,status,order_total,billing_email,billing_phone,customer_ip
871,871,2024-03-05 10:14:00,completed,1234.50,a@example.com,+43 1 5550100,192.0.2.7
872,872,2024-07-05 10:14:00,fraud-blocked,19.9,b@example.com,,198.51.100.4`,
    orders: '2024-03-05T09:14:00Z 1234.5 good, 2024-07-05T08:14:00Z 19.9 fraud',
  },
  {
    system: 'Adobe Commerce (Magento), grid of orders',
    map: 'time=Purchase Date; email=Customer Email; amount=Grand Total (Purchased); outcome=Status',
    fraud: 'suspected fraud',
    good: 'complete',
    csv: `"ID","Purchase Point","Purchase Date","Bill-to Name","Grand Total (Base)","Grand Total (Purchased)","Status","Customer Email"
"000000101","Main Website","Mar 5, 2024 10:14:00 AM","Ann Example","1234.5000","$1,234.50","Complete","a@example.com"
"000000102","Main Website","Mar 15, 2024 11:02:09 PM","Bob Example","90.0000","$90.00","Suspected Fraud","b@example.com"`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-15T23:02:09Z 90 fraud',
  },
  {
    system: 'Magento, table sales_order',
    map: 'time=created_at; email=customer_email; ip=remote_ip; amount=grand_total; outcome=status',
    fraud: 'fraud',
    good: 'complete',
    csv: `entity_id,status,grand_total,customer_email,remote_ip,created_at
1,complete,1234.5000,a@example.com,192.0.2.7,2024-03-05 10:14:00
2,fraud,12.5000,b@example.com,NULL,2024-03-05 10:15:00`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00Z 12.5 fraud',
  },
  {
    system: 'PrestaShop, French',
    map: 'time=Date; customer=Client; amount=Total; outcome=État',
    fraud: 'fraude',
    good: 'livré',
    delimiter: ';',
    zone: 'Europe/Paris',
    csv: `ID;Référence;"Nouveau client";Client;Total;Paiement;État;Date
12;XKBKNABJK;1;"A. Exemple";"1 234,50 €";Carte;Livré;"05/03/2024 10:14:00"
13;OHSATSERP;0;"B. Exemple";"80,00 €";Carte;Fraude;"25/03/2024 10:14:00"`,
    orders: '2024-03-05T09:14:00Z 1234.5 good, 2024-03-25T09:14:00Z 80 fraud',
  },
  {
    system: 'Shopware 6',
    map: 'time=orderDateTime; email=orderCustomer.email; amount=amountTotal; outcome=transactions.status',
    fraud: 'chargeback',
    good: 'paid',
    delimiter: ';',
    csv: `id;orderNumber;amountTotal;orderDateTime;orderCustomer.email;transactions.status
0f1c;10000;1234.5;2024-03-05T10:14:00.000+00:00;a@example.com;paid
0f1d;10001;80;2024-03-05T10:14:00.123+00:00;b@example.com;chargeback`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:14:00.123Z 80 fraud',
  },
  {
    system: 'OpenCart',
    map: 'time=date_added; phone=telephone; amount=total; outcome=order_status',
    fraud: 'chargeback',
    good: 'complete',
    csv: `order_id,customer,email,telephone,ip,total,order_status,date_added
55,Ann,a@example.com,+44 1632 960001,192.0.2.7,"£1,234.50",Complete,05/03/2024
56,Bob,b@example.com,+44 1632 960002,192.0.2.8,£80.00,Chargeback,31/03/2024`,
    orders: '2024-03-05T00:00:00Z 1234.5 good, 2024-03-31T00:00:00Z 80 fraud',
  },
  {
    system: 'BigCommerce',
    map: 'time=Order Date; time2=Order Time; email=Customer Email; amount=Order Total (inc tax); outcome=Order Status',
    fraud: 'disputed',
    good: 'completed',
    zone: 'America/Chicago',
    csv: `Order ID,Customer Name,Customer Email,Order Date,Order Time,Order Status,Order Total (inc tax),Order Currency Code
100,Ann,a@example.com,03/05/2024,10:14:00,Completed,1234.5000,USD
101,Bob,b@example.com,03/25/2024,22:14:00,Disputed,80.0000,USD`,
    orders: '2024-03-05T16:14:00Z 1234.5 good, 2024-03-26T03:14:00Z 80 fraud',
  },
  {
    system: 'Squarespace',
    map: 'time=Created at; amount=Total; outcome=Financial Status; phone=Billing Phone',
    fraud: 'disputed',
    good: 'paid',
    csv: `Order ID,Email,Financial Status,Paid at,Currency,Total,Created at,Billing Phone
00001,a@example.com,PAID,2024-03-05 10:14:01 -0500,USD,1234.50,2024-03-05 10:14:00 -0500,(555) 010-0199
00002,b@example.com,DISPUTED,,USD,80.00,2024-03-05 10:15:00 -0500,`,
    orders: '2024-03-05T15:14:00Z 1234.5 good, 2024-03-05T15:15:00Z 80 fraud',
  },
  {
    system: 'Wix',
    map: 'time=Date created; time2=Time; email=Contact email; amount=Total; outcome=Payment status',
    fraud: 'chargeback',
    good: 'paid',
    zone: 'America/New_York',
    csv: `Order number,Date created,Time,Contact email,Payment status,Currency,Total
10001,"Mar 5, 2024",10:14:00 AM,a@example.com,Paid,USD,1234.5
10002,"Mar 5, 2024",1:14:00 PM,b@example.com,Chargeback,USD,80`,
    orders: '2024-03-05T15:14:00Z 1234.5 good, 2024-03-05T18:14:00Z 80 fraud',
  },
  {
    system: 'Etsy',
    map: 'time=Sale Date; user=Buyer User ID; amount=Order Total; outcome=Status',
    fraud: 'cancelled',
    good: 'shipped',
    zone: 'America/New_York',
    csv: `Sale Date,Order ID,Buyer User ID,Full Name,Currency,Order Value,Order Total,Status
03/31/24,3210001,ann1,Ann Example,USD,1200.00,1234.50,Shipped
03/05/24,3210002,bob2,Bob Example,USD,80.00,80.00,Cancelled`,
    orders: '2024-03-05T05:00:00Z 80 fraud, 2024-03-31T04:00:00Z 1234.5 good',
  },
  {
    system: 'eBay',
    map: 'time=Sale Date; email=Buyer Email; amount=Total Price; outcome=Outcome',
    fraud: 'case lost',
    good: 'ok',
    zone: 'America/Los_Angeles',
    csv: `
"Sales Record Number","Order Number","Buyer Username","Buyer Email","Total Price","Sale Date","Outcome"

"1","01-00001-00001","ann1","a@example.com","$1,234.50","Mar-05-24","ok"
"2","01-00001-00002","bob2","b@example.com","$80.00","Mar-06-24","case lost"`,
    orders: '2024-03-05T08:00:00Z 1234.5 good, 2024-03-06T08:00:00Z 80 fraud',
  },
  {
    system: 'Amazon, order report',
    map: 'time=purchase-date; email=buyer-email; amount=item-price; outcome=claim',
    fraud: 'a-to-z',
    good: 'none',
    delimiter: '\t',
    csv: `amazon-order-id	purchase-date	buyer-email	currency	item-price	claim
000-0000001	2024-03-05T10:14:00+00:00	a1@marketplace.example	USD	1234.50	none
000-0000002	2024-03-05T02:14:00-08:00	b2@marketplace.example	USD	80.00	A-to-z`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:14:00Z 80 fraud',
  },
  {
    system: 'Amazon, payments of Germany',
    map: 'time=Datum/Uhrzeit; customer=Bestellnummer; amount=Gesamt; outcome=Typ',
    fraud: 'garantieantrag',
    good: 'bestellung',
    csv: `"Datum/Uhrzeit","Abrechnungsnummer","Typ","Bestellnummer","Gesamt"
"05.03.2024 10:14:00 UTC","11","Bestellung","000-0000001","1.234,50"
"05.03.2024 10:15:00 GMT+00:00","11","Garantieantrag","000-0000002","-80,00"`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00Z 80 fraud',
  },
  {
    system: 'Amazon, payments of the United States',
    map: 'time=date/time; customer=order id; amount=total; outcome=type',
    fraud: 'a-to-z guarantee claim',
    good: 'order',
    csv: `"date/time","settlement id","type","order id","total"
"Mar 5, 2024 2:14:00 AM PST","11","Order","000-0000001","1,234.50"
"Jul 5, 2024 2:14:00 AM PDT","11","Order","000-0000002","80"`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-07-05T09:14:00Z 80 good',
  },
  {
    system: 'Stripe, payments',
    map: 'time=Created date (UTC); email=Customer Email; amount=Amount; outcome=Disputed',
    fraud: 'true',
    good: 'false',
    csv: `id,Created date (UTC),Amount,Amount Refunded,Currency,Customer Email,Status,Disputed
ch_1,2024-03-05 10:14:00,1234.50,0.00,usd,a@example.com,Paid,false
ch_2,2024-03-05 10:15,80.00,0.00,usd,b@example.com,Paid,true`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00Z 80 fraud',
  },
  {
    system: 'PayPal, activity',
    map: 'time=Date; time2=Time; time3=TimeZone; email=From Email Address; amount=Gross; outcome=Type',
    fraud: 'chargeback',
    good: 'express checkout payment',
    csv: `"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address"
"03/05/2024","02:14:00","PST","Ann","Express Checkout Payment","Completed","USD","1,234.50","-36.10","1,198.40","a@example.com"
"03/25/2024","03:14:00","PDT","Bob","Chargeback","Completed","USD","-80.00","0.00","-80.00","b@example.com"`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-25T10:14:00Z 80 fraud',
  },
  {
    system: 'PayPal, German',
    map: 'time=Datum; time2=Uhrzeit; time3=Zeitzone; email=Absender E-Mail-Adresse; amount=Brutto; outcome=Typ',
    fraud: 'rückbuchung',
    good: 'zahlung',
    csv: `"Datum","Uhrzeit","Zeitzone","Typ","Währung","Brutto","Absender E-Mail-Adresse"
"05.03.2024","11:14:00","CET","Zahlung","EUR","1.234,50","a@example.com"
"05.07.2024","12:14:00","CEST","Rückbuchung","EUR","80,00","b@example.com"`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-07-05T10:14:00Z 80 fraud',
  },
  {
    system: 'Adyen',
    map: 'time=Creation Date; time2=TimeZone; email=Shopper Email; ip=Shopper IP; amount=Amount; outcome=Record Type',
    fraud: 'chargeback',
    good: 'settled',
    csv: `Merchant Account,Psp Reference,Creation Date,TimeZone,Currency,Amount,Record Type,Shopper Email,Shopper IP
ShopNL,AB12,2024-03-05 11:14:00,CET,EUR,1234.50,Settled,a@example.com,192.0.2.7
ShopNL,AB13,2024-07-05 12:14:00,CEST,EUR,80.00,Chargeback,b@example.com,2001:db8::7`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-07-05T10:14:00Z 80 fraud',
  },
  {
    system: 'Mollie',
    map: 'time=Datum; iban=Rekeningnummer; amount=Bedrag; outcome=Status',
    fraud: 'teruggeboekt',
    good: 'betaald',
    zone: 'Europe/Amsterdam',
    csv: `"Datum","Betaalmethode","Valuta","Bedrag","Status","ID","Rekeningnummer"
"2024-03-05 11:14:00","ideal","EUR","1234,50","betaald","tr_1","NL00EXAM0000000001"
"05-03-2024 11:15:00","ideal","EUR","80,00","teruggeboekt","tr_2","NL00EXAM0000000002"
"25-03-2024 11:15:00","ideal","EUR","80,00","betaald","tr_3","NL00EXAM0000000003"`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00Z 80 fraud, 2024-03-25T10:15:00Z 80 good',
  },
  {
    system: 'Klarna, in öre',
    map: 'time=purchase_date; email=consumer_email; amount=order_amount_cents; outcome=type',
    fraud: 'fraud',
    good: 'sale',
    csv: `order_id,short_order_id,purchase_date,currency,order_amount_cents,type,consumer_email
a-1,K1,2024-03-05T10:14:00.000Z,SEK,123450,SALE,a@example.com
a-2,K2,2024-03-05T10:15:00.000Z,SEK,8000,FRAUD,b@example.com`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00Z 80 fraud',
  },
  {
    system: 'Braintree',
    map: 'time=Created Datetime; time2=Created Timezone; email=Customer Email; amount=Amount Authorized; outcome=Transaction Status',
    fraud: 'gateway_rejected',
    good: 'settled',
    csv: `Transaction ID,Transaction Status,Created Datetime,Created Timezone,Currency ISO Code,Amount Authorized,Customer Email
t1,settled,03/05/2024 10:14:00,UTC,USD,1234.50,a@example.com
t2,gateway_rejected,03/25/2024 05:14:00,EST,USD,80.00,b@example.com`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-25T10:14:00Z 80 fraud',
  },
  {
    system: 'Square',
    map: 'time=Date; time2=Time; time3=Time Zone; customer=Customer ID; amount=Gross Sales; outcome=Event Type',
    fraud: 'dispute',
    good: 'payment',
    csv: `Date,Time,Time Zone,Gross Sales,Discounts,Customer ID,Event Type
3/5/24,05:14:00,Eastern Time (US & Canada),"$1,234.50",$0.00,C1,Payment
3/31/24,06:14:00,Eastern Time (US & Canada),$80.00,($5.00),C2,Dispute
3/31/24,06:15:00,Eastern Time (US & Canada),($80.00),$0.00,C2,Payment`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-31T10:14:00Z 80 fraud',
    problems: [`line 4: "Gross Sales" expected ${NEGATIVE}`],
  },
  {
    system: 'WHMCS',
    map: 'time=Date; amount=Total; outcome=Status; ip=IP Address',
    fraud: 'fraud',
    good: 'active',
    csv: `ID,Order #,Date,Client Name,Email,IP Address,Payment Method,Total,Status
7,8100000001,05/03/2024 10:14,Ann Example,a@example.com,192.0.2.7,Card,"$1,234.50 USD",Active
8,8100000002,13/03/2024 10:14,Bob Example,b@example.com,192.0.2.8,Card,$80.00 USD,Fraud`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-13T10:14:00Z 80 fraud',
  },
  {
    system: 'HostBill',
    map: 'time=date_created; amount=total; outcome=status; ip=order_ip',
    fraud: 'fraud',
    good: 'active',
    csv: `id,number,status,date_created,total,email,order_ip
7,100007,Active,2024-03-05 10:14:00,1234.50,a@example.com,192.0.2.7
8,100008,Fraud,0000-00-00 00:00:00,80.00,b@example.com,192.0.2.8
9,100009,Fraud,2024-03-05 10:15:00,80.00,c@example.com,192.0.2.9`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00Z 80 fraud',
    problems: ['line 3: "date_created" expected a time such as 2021-01-31 or 2021-01-31T12:00:00Z'],
  },
  {
    system: 'Blesta',
    map: 'time=Date Added; amount=Total; outcome=Status',
    fraud: 'fraud',
    good: 'accepted',
    csv: `Order Number,Date Added,Email,Total,Status
0001,Mar 5 2024 10:14:00,a@example.com,1234.5000,Accepted
0002,Mar 6 2024 10:14:00,b@example.com,,Fraud`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-06T10:14:00Z 0 fraud',
  },
  {
    system: 'Chargebee',
    map: 'time=Invoice Date; email=Customer Email; amount=Amount (USD); outcome=Dunning Status',
    fraud: 'exhausted',
    good: 'paid',
    csv: `Invoice Number,Customer Email,Invoice Date,Amount (USD),Dunning Status
INV-1,a@example.com,05-Mar-2024 10:14,1234.50,Paid
INV-2,b@example.com,06-Mar-2024 10:14,80.00,Exhausted`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-06T10:14:00Z 80 fraud',
  },
  {
    system: 'Recurly',
    map: 'time=created_at; email=account_email; amount=amount; outcome=status; ip=ip_address',
    fraud: 'fraud_decline',
    good: 'success',
    csv: `id,account_email,created_at,currency,amount,status,ip_address
1,a@example.com,2024-03-05 10:14:00 UTC,USD,1234.5,success,192.0.2.7
2,b@example.com,2024-03-05 10:15:00 UTC,USD,80.0,fraud_decline,192.0.2.8`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00Z 80 fraud',
  },
  {
    system: 'SAP',
    map: 'time=Belegdatum; time2=Uhrzeit; customer=Auftraggeber; amount=Nettowert; outcome=Sperre',
    fraud: 'b',
    good: 'a',
    delimiter: ';',
    zone: 'Europe/Berlin',
    csv: `Beleg;Belegdatum;Uhrzeit;Auftraggeber;Nettowert;Währg;Sperre
4711;05.03.2024;11:14:00;K1;1.234,50;EUR;A
4712;05.03.2024;11:15:00;K2;80,00-;EUR;A
4713;20240305;111600;K3;80,00;EUR;B`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:16:00Z 80 fraud',
    problems: [`line 3: "Nettowert" expected ${NEGATIVE}`],
  },
  {
    system: 'DATEV, whose dates have no year',
    map: 'time=Belegdatum; customer=Konto; amount=Umsatz; outcome=Buchungstext',
    fraud: 'rücklastschrift',
    good: 'rechnung',
    delimiter: ';',
    csv: `Umsatz;Soll/Haben-Kennzeichen;Konto;Belegdatum;Buchungstext
1234,50;S;10001;0503;Rechnung
1234,50;S;10001;05032024;Rechnung
80,00;S;10002;25032024;Rücklastschrift`,
    orders: '2024-03-05T00:00:00Z 1234.5 good, 2024-03-25T00:00:00Z 80 fraud',
    problems: ['line 2: "Belegdatum" expected a time such as 2021-01-31 or 2021-01-31T12:00:00Z'],
  },
  {
    system: 'MySQL, SELECT … INTO OUTFILE',
    map: 'time=created; amount=total; outcome=is_fraud',
    fraud: '1',
    good: '0',
    delimiter: '\t',
    csv: `id	email	created	total	is_fraud
1	a@example.com	2024-03-05 10:14:00	1234.50	0
2	b@example.com	2024-03-05 10:15:00.000000	\\N	1`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00Z 0 fraud',
  },
  {
    system: 'PostgreSQL, COPY … CSV',
    map: 'time=created_at; amount=total; outcome=is_fraud',
    fraud: 't',
    good: 'f',
    csv: `id,email,created_at,total,is_fraud
1,a@example.com,2024-03-05 10:14:00.5+00,1234.50,f
2,b@example.com,2024-03-05 15:45:00+05:30,80,t
3,c@example.com,infinity,80,t`,
    orders: '2024-03-05T10:14:00.500Z 1234.5 good, 2024-03-05T10:15:00Z 80 fraud',
    problems: ['line 4: "created_at" expected a time such as 2021-01-31 or 2021-01-31T12:00:00Z'],
  },
  {
    system: 'pandas',
    map: 'time=ts; amount=total; outcome=label',
    fraud: '1.0',
    good: '0.0',
    csv: `,email,ts,total,label
0,a@example.com,2024-03-05 10:14:00+00:00,1234.5,0.0
1,b@example.com,2024-03-05 10:15:00.123456+00:00,1e-05,1.0
2,c@example.com,NaT,nan,1.0`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00.123Z 0.00001 fraud',
    problems: ['line 4: "ts" expected a time such as 2021-01-31 or 2021-01-31T12:00:00Z'],
  },
  {
    system: 'Excel, German',
    map: 'time=Datum; email=E-Mail; amount=Betrag; outcome=Ergebnis',
    fraud: 'betrug',
    good: 'gut',
    delimiter: ';',
    zone: 'Europe/Berlin',
    csv: `\ufeffDatum;E-Mail;Betrag;Ergebnis
05.03.2024 11:14;a@example.com;1.234,50 €;gut
05.03.24;b@example.com;80,00 €;Betrug
;;;`,
    orders: '2024-03-04T23:00:00Z 80 fraud, 2024-03-05T10:14:00Z 1234.5 good',
  },
  {
    system: 'Excel, French',
    map: 'time=Date; email=Courriel; amount=Montant; outcome=Issue',
    fraud: 'fraude',
    good: 'bon',
    delimiter: ';',
    zone: 'Europe/Paris',
    csv: `\ufeffDate;Courriel;Montant;Issue
05/03/2024 11:14;a@example.com;1\u202f234,50\u00a0€;bon
15/03/2024 11:14;b@example.com;80,00\u00a0€;fraude`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-15T10:14:00Z 80 fraud',
  },
  {
    system: 'Excel, United States',
    map: 'time=Date; amount=Amount; outcome=Outcome',
    fraud: 'fraud',
    good: 'good',
    zone: '-05:00',
    csv: `Date,Email,Amount,Outcome
3/5/2024 5:14,a@example.com,"$1,234.50 ",good
3/15/2024 17:14,b@example.com, $80.00 ,fraud
45356.42639,c@example.com, $-   ,good`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T15:14:00Z 0 good, 2024-03-15T22:14:00Z 80 fraud',
  },
  {
    system: 'Excel, saved as Unicode text',
    map: 'time=Date; amount=Amount; outcome=Outcome',
    fraud: 'fraud',
    good: 'good',
    delimiter: '\t',
    encoding: 'utf16le',
    csv: `\ufeffDate\tEmail\tAmount\tOutcome\n3/5/2024 5:14\ta@example.com\t$1,234.50\tgood`,
    orders: '',
    problems: ['the file is UTF-16, not UTF-8: save as CSV UTF-8'],
  },
  {
    system: 'Excel, saved in Windows-1252',
    map: 'time=Datum; email=E-Mail; amount=Betrag; outcome=Ergebnis',
    fraud: 'betrug',
    good: 'gut',
    delimiter: ';',
    encoding: 'latin1',
    csv: `Datum;E-Mail;Betrag;Ergebnis
05.03.2024;a@example.com;1.234,50;gut
05.03.2024;ü@example.com;80,00;Betrug`,
    orders: '2024-03-05T00:00:00Z 1234.5 good',
    problems: ['line 3: "E-Mail" is not UTF-8: save as CSV UTF-8'],
  },
  {
    system: 'Drupal Commerce, with Unix times',
    map: 'time=created; email=mail; ip=ip_address; amount=total; outcome=state',
    fraud: 'fraud',
    good: 'completed',
    csv: `order_id,mail,ip_address,created,total,state
1,a@example.com,192.0.2.7,1709633640,1234.500000,completed
2,b@example.com,192.0.2.8,1709633700,80.000000,fraud`,
    orders: '2024-03-05T10:14:00Z 1234.5 good, 2024-03-05T10:15:00Z 80 fraud',
  },
  {
    system: 'EC-CUBE, Japanese',
    map: 'time=注文日時; email=メールアドレス; amount=お支払い合計; outcome=対応状況',
    fraud: '不正注文',
    good: '発送済み',
    zone: 'Asia/Tokyo',
    csv: `注文ID,注文日時,メールアドレス,お支払い合計,対応状況
1,2024/03/05 19:14:00,a@example.com,"¥1,234",発送済み
2,2024年3月5日 19時15分,b@example.com,８０円,不正注文`,
    orders: '2024-03-05T10:14:00Z 1234 good, 2024-03-05T10:15:00Z 80 fraud',
  },
  {
    system: 'Razorpay, Indian',
    map: 'time=created_at; amount=amount; outcome=dispute; phone=contact',
    fraud: 'lost',
    good: 'none',
    zone: 'Asia/Kolkata',
    csv: `id,amount,currency,email,contact,created_at,dispute
pay_1,"₹1,23,456.00",INR,a@example.com,+915550100199,05/03/2024 15:44:00,none
pay_2,₹80.00,INR,b@example.com,+915550100198,25/03/2024 15:44:00,lost`,
    orders: '2024-03-05T10:14:00Z 123456 good, 2024-03-25T10:14:00Z 80 fraud',
  },
];
