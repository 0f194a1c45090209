/** Start of each simulated world, 2021-01-01T00:00:00Z. Times inside a world are milliseconds since then. */
export const START_MS = 1_609_459_200_000;

/** The numbers of a simulated world. Shares and probabilities are 0 to 1, times are days. */
export interface WorldOptions {
  /** Length of the world, if no attack ends it. Default 1,400. */
  readonly days: number;
  /** Number of customers, fraudsters included. Default 12,000. */
  readonly customers: number;
  /** Number of shops. Each visit is at one of them. Default 80. */
  readonly reporters: number;
  /** How often customers visit shops, and what the shops record. */
  readonly visits: {
    /** Visits of an honest customer over the whole world: exponential with this mean, rounded down, at least 1. */
    readonly mean: number;
    /** A fraudster's mean, as a multiple of `mean`. */
    readonly fraudFactor: number;
    /**
     * Probability that a shop omits an identifier, drawn for each visit and identifier. The first kind that every
     * customer has is never omitted: the email by default.
     */
    readonly leftOut: number;
    /** Amplitude of a yearly wave in the number of visits, 0 to 1. Default 0. */
    readonly season: number;
  };
  /** Who the fraudsters are. */
  readonly fraud: {
    /** Share of customers who are fraudsters. Default 0.06. */
    readonly share: number;
    /** Probability that a fraudster's visits turn bad, drawn once for each fraudster from Beta(alpha, beta). */
    readonly alpha: number;
    /** Second parameter of the Beta distribution. The mean probability is alpha / (alpha + beta). */
    readonly beta: number;
    /** Amplitude of the yearly wave in the visits of fraudsters, 0 to 1. Default 0. */
    readonly season: number;
  };
  /** Share of honest customers who live in pairs with one phone and one ip. */
  readonly households: number;
  /** How customers have identifiers, by kind. Every customer has at least one kind, with a share of 1. */
  readonly kinds: Readonly<Record<Kind, KindOptions>>;
  /** IP addresses of many people: offices, carriers, proxies. They never expire, and each customer may use one. */
  readonly sharedAddresses: {
    /** Number of shared addresses. Default 200. */
    readonly count: number;
    /** Exponent: the n-th most used address is drawn in proportion to 1 / n^zipf. */
    readonly zipf: number;
    /** Probability that a new ip is a shared one: for an honest customer, and for a fraudster. */
    readonly honest: number;
    /** The same probability for a fraudster. Default 0.35. */
    readonly fraud: number;
  };
  /** What shops report. */
  readonly reporting: {
    /** Exponent of the Pareto distribution of sizes. A shop's share of visits is proportional to its size. */
    readonly sizeExponent: number;
    /** Shares of all reporters. The other reporters are normal. */
    readonly careless: number;
    /** Share of all reporters who copy the reports of others. Default 0.1. */
    readonly copying: number;
    /** Share of the reporters of each habit who repeat their reports. */
    readonly lazy: number;
    /** Share of the reporters without the habit of copying that the operator verified. */
    readonly verified: number;
    /**
     * Ranges of three probabilities, drawn for each reporter who does not copy: to report a bad visit, and to report
     * another visit, as a careful reporter and as a careless one.
     */
    readonly bad: Range;
    /** Probability that a careful reporter reports a visit that did not turn bad. */
    readonly honest: Range;
    /** The same probability for a careless reporter. */
    readonly carelessHonest: Range;
    /** Probability that a copying reporter reports a visit: if its email, phone or domain is reported, and if not. */
    readonly copied: number;
    /** Probability that a copying reporter reports a visit without such a report. Default 0.002. */
    readonly copyingElsewhere: number;
    /**
     * Standard deviation of the logarithm by which a reporter's two probabilities change from the middle of the world
     * to its end. Default 0.
     */
    readonly drift: number;
    /** Days that each reporter is active, from a day drawn at random. Default 36,500: all are always active. */
    readonly activeDays: number;
    /** Share of the reporters without the habit of copying who collude. They report honest visits as careless do. */
    readonly colluding: number;
    /** Probability that another colluding reporter repeats a false report of one of them within 14 days. */
    readonly colluded: number;
    /**
     * Mean number of repeats of each report by a lazy reporter (exponential, rounded), and days between two repeats.
     */
    readonly repeats: number;
    /** Days between two repeats. Default 1. */
    readonly repeatEveryDays: number;
    /** Share of reports about honest customers that are withdrawn, and mean days until then (exponential). */
    readonly withdrawn: number;
    /** Mean days until a withdrawal (exponential). Default 120. */
    readonly withdrawnAfterDays: number;
  };
  /** Normal distributions, rounded and limited to 1 to 10. */
  readonly severity: {
    /** [mean, standard deviation], for a fraudster and for an honest customer. */
    readonly fraud: Range;
    /** The same for an honest customer. Default [5, 2.2]. */
    readonly honest: Range;
    /** Standard deviation of a reporter's constant bias, and of the jitter of each repeat. */
    readonly reporter: number;
    /** Standard deviation of the jitter of each repeat. Default 1. */
    readonly repeat: number;
  };
  /** Which visits are queried. The query comes before the report of the visit. */
  readonly queries: {
    /** First day of queried visits. Before it, there are few reports to find. */
    readonly fromDay: number;
    /** Number of queried visits, drawn uniformly. If there are fewer, all are queried. */
    readonly count: number;
  };
  /** Used by an attack only (`simulate/attacks.ts`). */
  readonly attack: {
    /** Day of the attack, from the start of the world. Default 1,008. */
    readonly day: number;
    /** Number of honest customers who are attacked. RangeError if fewer qualify. Default 60. */
    readonly victims: number;
    /** A victim visited a shop at most this number of days before the attack. */
    readonly activeDays: number;
    /** Days from the attack to the queries about the victims. The world ends with these queries. */
    readonly askedAfterDays: number;
    /** Number of invented people that each key of a ring reports before the attack, and the days for these reports. */
    readonly ringParties: number;
    /** Days before the attack over which a ring spreads these reports. Default 90. */
    readonly ringDays: number;
    /** Number of true reports that each camouflaged key copies, and the days from the copies to the attack. */
    readonly camouflageReports: number;
    /** Days from the copies to the attack. Default 400. */
    readonly camouflageDays: number;
    /** Number of victims of patient, sleeper, drip and launder. Each victim has its own keys. Default 6. */
    readonly patientVictims: number;
    /** First day of the world on which these keys file true reports. Default 0. */
    readonly patientFromDay: number;
    /** Days before the attack until which patient, drip and launder keys file their true reports. Default 60. */
    readonly patientDays: number;
    /** Days for which a sleeper's keys are silent before the attack. Default 365. */
    readonly sleeperDays: number;
    /** Days from one accusation of drip to the next. Default 7. */
    readonly dripDays: number;
    /** Days from the accusations of launder to the verified reporter's repetition. Default 7. */
    readonly launderDays: number;
    /** Severity of each accusation, a whole number from 1 to 10. Default 10. */
    readonly severity: number;
    /** Number of the victim's identifiers in each accusation: first email, then phone, domain, ip. Default 4. */
    readonly identifiers: number;
  };
}

/** Two numbers: least and greatest, or mean and standard deviation. */
export type Range = readonly [number, number];

/** How customers have identifiers of a kind. */
export interface KindOptions {
  /** Share of customers who have an identifier of the kind. */
  readonly share: number;
  /** Mean time for which a customer keeps an identifier (exponential distribution). */
  readonly lifeDays: number;
  /** Probability that a released identifier passes to the next customer who needs one. */
  readonly handedOn: number;
  /** Probability that a fraudster changes the identifier at a visit. */
  readonly fraudChange: number;
}

/** In the order of an event's identifiers. */
export const KINDS: readonly Kind[] = ['email', 'phone', 'domain', 'ip'];
/** Kind of a simulated identifier. */
export type Kind = 'email' | 'phone' | 'domain' | 'ip';

/** The base world: about 48,000 visits and 3,000 to 5,500 reports. About a quarter of the queries match. */
export const WORLD_OPTIONS: WorldOptions = {
  days: 1400,
  customers: 12_000,
  reporters: 80,
  visits: { mean: 4, fraudFactor: 2, leftOut: 0.2, season: 0 },
  fraud: { share: 0.06, alpha: 5, beta: 2, season: 0 },
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
    drift: 0,
    activeDays: 36_500,
    colluding: 0,
    colluded: 0.5,
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
    patientVictims: 6,
    patientFromDay: 0,
    patientDays: 60,
    sleeperDays: 365,
    dripDays: 7,
    launderDays: 7,
    severity: 10,
    identifiers: 4,
  },
};

/** Returns the first kind that every customer has. A shop never omits it. */
export function anchorOf({ kinds }: WorldOptions): Kind {
  return KINDS.find((kind) => kinds[kind].share === 1) ?? 'email';
}

/** Numbers that a caller changes, at any depth. */
export type WorldOverrides = Overrides<WorldOptions>;
/** The same numbers, each of them optional. */
export type Overrides<T> = { readonly [K in keyof T]?: T[K] extends number | Range ? T[K] : Overrides<T[K]> };

/** Worlds that differ from the base in one respect, by name. */
export const SCENARIOS = {
  base: {},
  // Every second address belongs to an office or a carrier, so an ip is weak evidence.
  'shared-addresses': { sharedAddresses: { honest: 0.5, fraud: 0.6 } },
  copying: { reporting: { copying: 0.3 } },
  careless: { reporting: { careless: 0.35 } },
  lazy: { reporting: { lazy: 0.6 } },
  'none-verified': { reporting: { verified: 0 } },
  // A copying reporter is not careful either.
  'all-careful': { reporting: { careless: 0, copying: 0 } },
  'few-reporters': { reporters: 15 },
} satisfies Record<string, WorldOverrides>;

/** Name of a world. */
export type ScenarioName = keyof typeof SCENARIOS;
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[];
