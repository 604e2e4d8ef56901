import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { besuOptionsPage, cliPage } from '../src/cli/docs.ts'
import { graphqlPage } from '../src/graphql/docs.ts'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { rpcPage } from '../src/rpc/docs.ts'

/** Every page that is made from source: where it lies, and what makes its text. */
const pages: Readonly<Record<string, () => string>> = {
  'docs/besu-options.md': besuOptionsPage,
  'docs/cli.md': cliPage,
  'docs/graphql.md': graphqlPage,
  'docs/rpc.md': rpcPage,
}

const check = process.argv.includes('--check')
for (const [name, make] of Object.entries(pages)) {
  const file = join(packageRoot, name)
  const text = make()
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  if (check) {
    process.stderr.write(`${name} is stale: run \`npm run docs\`\n`)
    process.exitCode = 1
    continue
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  process.stdout.write(`${name} written\n`)
}
