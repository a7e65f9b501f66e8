/** A module imports only modules of a lower tier, and only through their index.ts. */
const tiers = require('./apps/server/tiers.json')
  .map((folders) => folders.filter((folder) => folder.startsWith('modules/')).map((folder) => folder.slice('modules/'.length)))
  .filter((names) => names.length > 0)

/** The folders of rewards: a folder imports only folders further left. */
const rewardRooms = ['programme', 'sources', 'pool', 'instant', 'runs', 'lists', 'trials']

/** The folders of staff: a folder imports only folders further left. */
const staffRooms = [
  'access',
  'duties',
  'segments',
  'audit-log',
  'proposals/shared',
  'proposals/kinds',
  'proposals',
  'catalogue',
  'ledger',
  'requests',
  'rewards',
  'members',
  'tickets',
  'people',
  'business',
  'accounting',
  'operations',
]

const modules = 'apps/server/src/modules'
const server = 'apps/server/src'
const web = 'apps/web/src'
const any = (names) => `(${names.join('|')})`

const tierRules = tiers.flatMap((names, index) => {
  const above = tiers.slice(index + 1).flat()
  const siblings = names.map((name) => ({
    name: `${name}-not-its-siblings`,
    severity: 'error',
    from: { path: `^${modules}/${name}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^${modules}/${any(names.filter((other) => other !== name))}/` },
  }))
  const upwards =
    above.length === 0
      ? []
      : [
          {
            name: `tier-${index + 1}-not-upwards`,
            severity: 'error',
            from: { path: `^${modules}/${any(names)}/`, pathNot: '\\.test\\.ts$' },
            to: { path: `^${modules}/${any(above)}/` },
          },
        ]
  return [...siblings, ...upwards]
})

/** A folder's own files: those of a folder inside it belong to that one. */
const inside = (folder, folders) =>
  `${folder}/(?!${[...folders.filter((other) => other.startsWith(`${folder}/`)).map((other) => `${other.slice(folder.length + 1)}/`), '$'].join('|')})`

const rulesOfFolders = (name, folders) =>
  folders.map((folder, index) => ({
    name: `${name}-${folder.replaceAll('/', '-')}-not-upwards`,
    severity: 'error',
    from: { path: `^${modules}/${name}/${inside(folder, folders)}`, pathNot: '\\.test\\.ts$' },
    to: { path: `^${modules}/${name}/${any([...folders.slice(index + 1).map((above) => inside(above, folders)), '[^/]+\\.ts$'])}` },
  }))
const roomRules = [...rulesOfFolders('rewards', rewardRooms), ...rulesOfFolders('staff', staffRooms)]

module.exports = {
  forbidden: [
    ...tierRules,
    ...roomRules,
    {
      name: 'modules-through-their-index',
      severity: 'error',
      from: { path: `^${modules}/([^/]+)/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${modules}/`, pathNot: [`^${modules}/$1/`, `^${modules}/[^/]+/index\\.ts$`] },
    },
    {
      name: 'ledger-knows-only-the-platform',
      severity: 'error',
      from: { path: `^${server}/ledger/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${server}/`, pathNot: [`^${server}/(ledger|platform)/`] },
    },
    {
      name: 'platform-knows-nobody',
      severity: 'error',
      from: { path: `^${server}/platform/` },
      to: { path: `^${server}/`, pathNot: `^${server}/platform/` },
    },
    {
      name: 'shells-know-no-module',
      severity: 'error',
      from: { path: `^${server}/(http|jobs)/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${server}/(modules|ledger|gateways|main|sandbox)/` },
    },
    {
      name: 'gateways-know-no-module',
      severity: 'error',
      from: { path: `^${server}/gateways/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${server}/(modules|ledger|main|jobs)/` },
    },
    {
      name: 'nobody-imports-commands',
      severity: 'error',
      from: { path: `^${server}/(?!cli/)`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${server}/cli/`, pathNot: `^${server}/cli/command-line\\.mjs$` },
    },
    {
      name: 'nobody-imports-main',
      severity: 'error',
      from: { path: `^${server}/(?!cli/|main/|diagnostics/|sandbox/demo/)`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${server}/(main|diagnostics|sandbox/demo)/` },
    },
    { name: 'web-never-imports-server', severity: 'error', from: { path: `^${web}/` }, to: { path: `^${server}/` } },
    { name: 'server-never-imports-web', severity: 'error', from: { path: `^${server}/` }, to: { path: `^${web}/` } },
    {
      // The console is a page of its own (GN-04).
      name: 'members-app-knows-no-staff',
      severity: 'error',
      from: { path: `^${web}/(?!console/|app/main-staff|test/)` },
      to: { path: [`^${web}/console/`, '^packages/contract/src/staff'] },
    },
    {
      name: 'ui-knows-no-business',
      severity: 'error',
      from: { path: `^${web}/ui/` },
      to: { path: `^${web}/(?!ui/)` },
    },
    {
      name: 'lib-knows-no-capability',
      severity: 'error',
      from: { path: `^${web}/lib/`, pathNot: '\\.test\\.tsx?$' },
      to: { path: `^${web}/(?!lib/|ui/)` },
    },
    {
      name: 'money-imports-nothing',
      severity: 'error',
      from: { path: '^packages/money/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/money/src/' },
    },
    {
      name: 'languages-imports-one-library',
      severity: 'error',
      from: { path: '^packages/languages/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/languages/src/', 'node_modules/icu-minify/', '^util$', '^node:util$'] },
    },
    {
      name: 'contract-imports-money-and-valibot',
      severity: 'error',
      // The web app loads the code of signatures apart (trust/read-history.ts).
      from: { path: '^packages/contract/src/', pathNot: ['\\.test\\.ts$', '/balance-proof/verify-signature\\.ts$'] },
      to: { pathNot: ['^packages/(contract|money)/src/', 'node_modules/valibot/'] },
    },
    {
      name: 'signatures-import-one-library',
      severity: 'error',
      from: { path: '^packages/contract/src/balance-proof/verify-signature\\.ts$' },
      to: { pathNot: ['^packages/contract/src/balance-proof/', 'node_modules/micro-eth-signer/'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['tables\\.generated\\.ts$', '/dist/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.css'],
    },
  },
}
