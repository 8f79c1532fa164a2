import type { AssetBlock } from './asset.ts';

/** Shares and funds behind the most traded ones. */
export const FURTHER_EQUITY_ASSETS: readonly AssetBlock[] = [
  {
    assetClass: 'equity',
    evidence: 'US-listed share under the ticker of its exchange; no coin of that ticker has a perpetual',
    tickers: `
      ABNB ABBV ABT ACN ADI ADP AFRM AMGN ANET APLD ASTS AXON AXP BAC BBAI BIDU BKNG BLK BMY BULL CEG CHTR
      CIFR CLSK CMCSA CMG CORZ COHR CSCO CSX CVNA CVS DAL DDOG DOCU DUK ENPH EOG EQIX ETSY FCX FDX FIG FSLR FTNT GD GE
      GEV GILD GLW GM GPRO GRAB GS HD HON HUT IBKR INTU IONQ ISRG JD JNJ JOBY KLAC KLAR LCID LMT LOW LRCX
      LUNR LYFT MCD MCHP MDB MDLZ MELI MMM MRK MRNA MSCI NEE NEM NIO NVO NTES OKLO OKTA OXY PANW PATH PDD PEP PFE
      PGR PINS PLUG PM QBTS QUBT RBLX REGN RGTI RKT ROKU SBUX SCHW SE SEDG SMR SNAP SOFI SOUN SPGI SPOT TEM TGT TLRY
      TMUS TSEM TTD TTWO TWLO TXN UAL UNH UNP UPST UPS USB VRT VRTX VST VZ WBD WFC WULF XOM XPEV ZS
      AAL AIG ALAB BP CCJ CCL CI COP CPNG CRSP CTSH DEO DLR EA EL FISV FLEX FTV GFS HPE HPQ KMI LI LEN LHX LUV MO
      MPWR MS NDAQ NXPI ONDS OPFI PCG PLD PSX RACE RDW RIO SAP SHEL SLB SONY STLA TDOC TEAM TM TOST TRV UBS VALE WDAY
      WEN WOLF XPO YUM ZION
    `,
  },
  {
    assetClass: 'equity',
    evidence: 'US-listed share under the ticker of its exchange, or under the name of the company',
    entries: [
      ['BRKB', { name: 'Berkshire Hathaway, class B', aliases: 'BERKSHIRE' }],
      ['CRM', { name: 'Salesforce', aliases: 'SALESFORCE' }],
      ['LULU', { name: 'Lululemon', range: [50, 3000] }],
      ['PG', { name: 'Procter & Gamble' }],
      ['SPCE', { name: 'Virgin Galactic' }],
    ],
  },
  {
    assetClass: 'etf',
    evidence: 'Exchange-traded fund under the ticker of its exchange',
    tickers:
      'BOTZ VTV VUG VEA VWO EEM EFA AGG BND HYG LQD SHY IEF TBT XLV XLI XLP XLU XLY XLB XLRE XBI XOP XRT XHB KRE IYR ITA JETS ARKG ARKW SCHD VIG VYM RSP MDY IJR TNA TZA SPXL SPXS UPRO SPXU UVXY SVXY VXX NVDL TSLL MSTU MSTX CONL BITO FBTC GBTC ETHE BITX JEPI JEPQ UNG DBC PPLT PALL CPER SIVR GDXJ IAU SIL REMX EWC EWG EWU EWA EWH EWS EWW MCHI ASHR INDY',
  },
];
