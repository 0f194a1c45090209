/** Words the receipt of a report. */
export function formatReceipt(deletionCode: string | null): string {
  return deletionCode === null
    ? 'Reported. The service sent no deletion code.\n'
    : `Reported.\nDeletion code: ${deletionCode}\n`;
}
