import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { accounts } from './toolChain.ts'

/** Writes a project below the folder of its packages, in place of the last one. */
export function writeProject(folder: string, files: Readonly<Record<string, string>>, template?: string): string {
  rmSync(folder, { recursive: true, force: true })
  if (template) cpSync(template, folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** Keys of a network in the configuration, as JSON. */
export const keys = JSON.stringify(accounts.map(({ key }) => key))

/** What Hardhat must not do in a test: ask questions, or talk to its makers. */
export const quietly = {
  HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
  HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: 'false',
  HARDHAT_IGNITION_CONFIRM_RESET: 'false',
  CI: 'true',
  NO_COLOR: '1',
}

/** Hardhat's helpers for tests work with nodes of these names only, so users let the node say one. */
export const hardhatName = ['--dev-client-version=HardhatNetwork/quoin']
