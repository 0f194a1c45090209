export default {
  // sql.js finds its WebAssembly file only if it is not bundled.
  serverExternalPackages: ['redflag', 'sql.js'],
  // Clients send forms to /fraud/api/. Next.js would redirect them to the path without the slash.
  skipTrailingSlashRedirect: true,
};
