/** Most fields of one form (silent: 8): twice the 32 identifiers, since a full report has five fields beside them; one that holds more was not made for this service. */
export const DEFAULT_FIELDS = 64;
