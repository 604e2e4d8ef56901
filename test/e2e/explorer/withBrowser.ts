import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../interop/chromium.ts'

/** The whole path of a program in PATH, which the driver of the browser wants. */
function pathOf(program: string): string {
  const folders = isAbsolute(program) ? [''] : (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find(isProgram) ?? program
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Why there is no browser; undefined if there is one. */
export const whyNoBrowser = (): string | undefined =>
  findChromium() ? undefined : 'there is no Chromium in PATH, and CHROMIUM names none'

/** Does something with a browser. */
export async function withBrowser(action: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: pathOf(findChromium()!), args: ['--no-sandbox'] })
  try {
    await action(browser)
  } finally {
    await browser.close()
  }
}
