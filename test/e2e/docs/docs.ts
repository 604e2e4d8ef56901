import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import type { Suite } from '../suite.ts'
import { runApart, whyNotApart } from './runApart.ts'

/** The pages that users read. */
export function listPages(): string[] {
  const inside = readdirSync(join(packageRoot, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', 'deploy/README.md', ...inside.map((name) => `docs/${name}`)]
}

export const docs: Suite = {
  name: 'docs',
  doc: 'every command and code block of README.md and docs/, as a reader would run them',
  whyNot: whyNotApart,
  async run(terms) {
    const { only } = terms
    const pages = listPages().filter((page) => only.length === 0 || only.some((text) => page.includes(text)))
    for (const page of pages) await runApart(page, terms)
  },
}
