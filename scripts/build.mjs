// `npm run build`: installs and builds everything. With `--program` only what runs, as for the package.
import { buildAll, buildProgram, install } from './setup.mjs'

await install()
await (process.argv.includes('--program') ? buildProgram() : buildAll())
