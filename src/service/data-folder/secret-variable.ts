/** Environment variable for the secret itself: 64 hex characters. */
export const SECRET_TEXT_VARIABLE = 'REDFLAG_SECRET';

/** The secret that the variable held when the program started; undefined if it was unset or empty. */
export const GIVEN_SECRET = process.env[SECRET_TEXT_VARIABLE]?.trim() || undefined;

/** Removes the secret from the environment, which child processes and workers inherit. Call this before any starts. */
export function forgetVariable(): void {
  delete process.env[SECRET_TEXT_VARIABLE];
}
