/** Every number of a simulated world. Shares and chances are 0 to 1, times are days, a pair is a range or [mean, standard deviation] as its comment says. */
export interface WorldOptions {
  /** Length of the world. */
  readonly days: number;
  readonly customers: number;
  readonly reporters: number;
  readonly visits: {
    /** Visits of an honest customer over the whole world: exponential with this mean, rounded down, at least one. */
    readonly mean: number;
    /** A fraudster's mean is so many times that. */
    readonly fraudFactor: number;
    /** Chance that a shop leaves out an identifier other than the email, drawn anew for each visit and identifier. */
    readonly leftOut: number;
  };
  readonly fraud: {
    /** Share of customers who are fraudsters. */
    readonly share: number;
    /** A fraudster's visits turn bad with one chance for life, drawn from Beta(alpha, beta). */
    readonly alpha: number;
    readonly beta: number;
  };
  /** Share of honest customers who live in pairs under one phone and one ip. */
  readonly households: number;
  readonly kinds: Readonly<Record<Kind, KindOptions>>;
  /** Addresses behind which many people are: offices, carriers, proxies. They never change hands, everybody may come by one. */
  readonly sharedAddresses: {
    readonly count: number;
    /** The n-th most used address is taken in proportion to n to the power of minus this. */
    readonly zipf: number;
    /** Chance that a new ip is a shared one, for an honest customer and for a fraudster. */
    readonly honest: number;
    readonly fraud: number;
  };
  readonly reporting: {
    /** Exponent of the Pareto distribution of reporters' sizes; visits go to shops in proportion to size. */
    readonly sizeExponent: number;
    /** Shares of all reporters; the rest is normal. */
    readonly careless: number;
    readonly copying: number;
    /** Share of all reporters, whatever else they are, who send each report again and again. */
    readonly lazy: number;
    /** Share of those that do not copy whom the operator verified. */
    readonly verified: number;
    /** Ranges from which each reporter's chance to report is drawn: a bad visit (all but copying ones), any other visit, and that of a careless one. */
    readonly bad: Range;
    readonly honest: Range;
    readonly carelessHonest: Range;
    /** Chance that a copying reporter reports where another has on a strong identifier of the visit, and elsewhere. */
    readonly copied: number;
    readonly copyingElsewhere: number;
    /** A lazy reporter repeats each report so many times: exponential with this mean, rounded; one repeat each so many days. */
    readonly repeats: number;
    readonly repeatEveryDays: number;
    /** Share of reports of honest customers that are withdrawn, repeats and all, and the mean of the exponential time until then. */
    readonly withdrawn: number;
    readonly withdrawnAfterDays: number;
  };
  /** Normal distributions, rounded and held within 1 to 10. */
  readonly severity: {
    /** [mean, standard deviation] for a fraudster and for an honest customer. */
    readonly fraud: Range;
    readonly honest: Range;
    /** Standard deviation of what each reporter adds for life, and of the jitter of each repeat. */
    readonly reporter: number;
    readonly repeat: number;
  };
  readonly queries: {
    /** Visits from this day on may be asked about, so that there is something to find. */
    readonly fromDay: number;
    /** So many of them are, a uniform sample; all, when there are fewer. */
    readonly count: number;
  };
  /** Only with an attack (`simulate/attacks.ts`). */
  readonly attack: {
    readonly day: number;
    readonly victims: number;
    /** A victim visited some shop within so many days before. */
    readonly activeDays: number;
    /** The victims are asked about so many days after, and the world ends. */
    readonly askedAfterDays: number;
    /** A ring's keys first all report so many invented parties, spread over so many days. */
    readonly ringParties: number;
    readonly ringDays: number;
    /** A camouflaged key first copies so many real reports, so many days before the attack. */
    readonly camouflageReports: number;
    readonly camouflageDays: number;
  };
}

export type Range = readonly [number, number];

export interface KindOptions {
  /** Share of customers who have one. */
  readonly share: number;
  /** Mean of the exponential time for which a customer keeps one. */
  readonly lifeDays: number;
  /** Chance that a released one is handed to the next customer who needs a new one. */
  readonly handedOn: number;
  /** Chance that a fraudster changes it at a visit. */
  readonly fraudChange: number;
}

/** In the order in which an event lists them. */
export const KINDS = ['email', 'phone', 'domain', 'ip'] as const;
export type Kind = (typeof KINDS)[number];

/** The base world: about 48,000 visits and 4,000 reports (3,000 to 5,500: a few large shops decide); of the queries, a quarter or so match. */
export const WORLD_OPTIONS: WorldOptions = {
  days: 1400,
  customers: 12_000,
  reporters: 80,
  visits: { mean: 4, fraudFactor: 2, leftOut: 0.2 },
  fraud: { share: 0.06, alpha: 5, beta: 2 },
  households: 0.08,
  kinds: {
    email: { share: 1, lifeDays: 2500, handedOn: 0, fraudChange: 0.45 },
    phone: { share: 0.75, lifeDays: 1100, handedOn: 0.25, fraudChange: 0.3 },
    domain: { share: 0.5, lifeDays: 900, handedOn: 0.08, fraudChange: 0.25 },
    ip: { share: 1, lifeDays: 150, handedOn: 0.6, fraudChange: 0.45 },
  },
  sharedAddresses: { count: 200, zipf: 0.7, honest: 0.15, fraud: 0.35 },
  reporting: {
    sizeExponent: 1.2,
    careless: 0.15,
    copying: 0.1,
    lazy: 0.15,
    verified: 0.4,
    bad: [0.35, 0.9],
    honest: [0.0003, 0.004],
    carelessHonest: [0.02, 0.08],
    copied: 0.9,
    copyingElsewhere: 0.002,
    repeats: 3,
    repeatEveryDays: 1,
    withdrawn: 0.35,
    withdrawnAfterDays: 120,
  },
  severity: { fraud: [6.8, 1.8], honest: [5, 2.2], reporter: 1, repeat: 1 },
  queries: { fromDay: 490, count: 5000 },
  attack: {
    day: 1008,
    victims: 60,
    activeDays: 90,
    askedAfterDays: 1,
    ringParties: 40,
    ringDays: 90,
    camouflageReports: 30,
    camouflageDays: 400,
  },
};

/** What a caller may change: any number, at any depth. */
export type WorldOverrides = Overrides<WorldOptions>;
type Overrides<T> = { readonly [K in keyof T]?: T[K] extends number | Range ? T[K] : Overrides<T[K]> };

/** Worlds in which one thing is otherwise. */
export const SCENARIOS = {
  base: {},
  // Every second address is an office's or a carrier's: what an ip says is worth next to nothing.
  'shared-addresses': { sharedAddresses: { honest: 0.5, fraud: 0.6 } },
  copying: { reporting: { copying: 0.3 } },
  careless: { reporting: { careless: 0.35 } },
  lazy: { reporting: { lazy: 0.6 } },
  'none-verified': { reporting: { verified: 0 } },
  // Whoever copies is not careful either.
  'all-careful': { reporting: { careless: 0, copying: 0 } },
  'few-reporters': { reporters: 15 },
} as const satisfies Record<string, WorldOverrides>;

export type ScenarioName = keyof typeof SCENARIOS;
