import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { createPackages, type Packages } from '../../interop/packages.ts'
import { commandOf, whyMissing } from '../../interop/peerProgram.ts'
import { quorumPackages } from '../../interop/privacyClient.ts'
import { whyNoTokens } from '../../support/softToken.ts'
import type { Suite, SuiteTerms } from '../suite.ts'
import { runApart, whyNotApart } from './runApart.ts'

/** The pages that users read. */
export function listPages(): string[] {
  const inside = readdirSync(join(packageRoot, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', 'deploy/README.md', ...inside.map((name) => `docs/${name}`)]
}

/** Packages beyond those of this repository, by the page whose readers install them. */
const packagesOf: Readonly<Record<string, Packages>> = {
  'docs/privacy.md': quorumPackages,
  'docs/rpc.md': createPackages('wscat', ['wscat@6.0.1']),
}

/** The folder of the packages of a page; undefined if it needs none. */
async function fetchModules(page: string): Promise<string | undefined> {
  const packages = packagesOf[page]
  const reason = await packages?.fetch()
  if (reason) throw new Error(reason)
  return packages && join(packages.folder, 'node_modules')
}

/** Runs a page that starts programs of others, if they are here. */
async function runBesidePeers(page: string, programs: readonly ('besu' | 'geth')[], terms: SuiteTerms): Promise<void> {
  const reason = programs.map((program) => whyMissing(program, terms.peersDir)).find((why) => why !== undefined)
  if (reason) return terms.checks.note(`${page} was not run: ${reason}`)
  const folder = join(terms.folder, `${page.replaceAll('/', '-')}-programs`)
  mkdirSync(folder)
  for (const program of programs) symlinkSync(commandOf(program, terms.peersDir).command, join(folder, program))
  await runApart(page, terms, { programs: folder })
}

export const docs: Suite = {
  name: 'docs',
  doc: 'every command and code block of README.md and docs/, as a reader would run them',
  whyNot: whyNotApart,
  async run(terms) {
    const { only, checks } = terms
    const pages = listPages().filter((page) => only.length === 0 || only.some((text) => page.includes(text)))
    for (const page of pages) {
      const text = readFileSync(join(packageRoot, page), 'utf8')
      const programs = peersOf(text)
      if (/^softhsm2-util /m.test(text) && whyNoTokens) checks.note(`${page} was not run: ${whyNoTokens}`)
      else if (programs.length > 0) await runBesidePeers(page, programs, terms)
      else {
        const modules = await checks.step(`${page}: its packages are here`, () => fetchModules(page))
        await runApart(page, terms, { modules })
      }
    }
  },
}

/** The programs of others that a page starts. */
function peersOf(page: string): ('besu' | 'geth')[] {
  return (['besu', 'geth'] as const).filter((program) => new RegExp(`^${program} `, 'm').test(page))
}
