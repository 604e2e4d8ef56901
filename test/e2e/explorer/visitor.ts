import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Checks } from '../../interop/checks.ts'

/** Milliseconds that something may take to appear; machines are slow at times. */
const patience = 90_000

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Somebody with a browser who looks at the explorer. */
export interface Visitor {
  readonly page: Page
  /** Opens a page of the explorer and waits for its heading. */
  open(route: string): Promise<void>
  /** The value of a name in the page's lists of facts. */
  fact(name: string): Promise<string>
  /** Passes once the page shows a text at a place. */
  sees(name: string, place: Locator, text: string | RegExp): Promise<void>
  /** Looks for faults that shut people out, and takes a picture where the environment names a folder. */
  inspect(name: string): Promise<void>
  /** Takes pictures where the environment names a folder. */
  picture(name: string): Promise<void>
  /** Closes the window; complaints of the browser other than those that are expected are failures. */
  leave(expected?: RegExp): Promise<void>
}

export interface VisitOptions {
  /** Of the page that is opened first. */
  readonly path?: string
  readonly wallet?: (page: Page) => Promise<void>
}

/** Widths at which pages are looked at; the last is how they are left. */
const sizes = [
  ['phone', 390],
  ['tablet', 1024],
  ['desktop', 1440],
] as const

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Opens a browser window on the explorer at `url`; whatever the page asks others for, or complains of, is a failure. */
export async function visit(
  browser: Browser,
  url: string,
  checks: Checks,
  { path = '', wallet }: VisitOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const complaints: string[] = []
  page.on('request', (request) => {
    if (
      !request.url().startsWith(url) &&
      !request.url().startsWith(url.replace('http', 'ws')) &&
      request.url() !== 'about:blank'
    )
      complaints.push(`asked ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await wallet?.(page)
  await page.goto(new URL(path, url).href)

  async function picture(name: string): Promise<void> {
    const folder = process.env['QUOIN_SCREENSHOTS']
    if (!folder) return
    for (const [size, width] of sizes)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true })
      }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }

  return {
    page,
    picture,
    async open(route) {
      await page.evaluate((to) => Object.assign(globalThis, { location: to }), `#/${route}`)
      await page.locator('main h1').first().waitFor({ state: 'attached' })
    },
    async fact(name) {
      const row = page.locator('.facts > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
      await row.locator('.waiting').waitFor({ state: 'detached' })
      return (await row.locator('dd').innerText()).replace(/\s+/g, ' ').trim()
    },
    async sees(name, place, text) {
      await checks.step(name, () => place.filter({ hasText: text }).first().waitFor({ state: 'attached' }))
    },
    async inspect(name) {
      // What is too wide for its screen would scroll sideways.
      for (const [, width] of sizes) {
        await page.setViewportSize({ width, height: 900 })
        const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        checks.equal(`${name}: fits a width of ${width}`, excess <= 0, true)
      }
      await page.evaluate(axe)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        const found = await page.evaluate<{ violations: readonly Violation[] }>('axe.run()')
        checks.equal(
          `${name}: accessible, ${colorScheme}`,
          found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
          [],
        )
      }
      checks.equal(`${name}: nothing of strangers runs`, await page.evaluate('typeof hacked'), 'undefined')
      const links = await page.evaluate<string[]>('[...document.links].map(({ href }) => href)')
      checks.equal(
        `${name}: links lead to pages`,
        links.filter((link) => !link.startsWith(url)),
        [],
      )
      await picture(name)
    },
    async leave(expected) {
      const others = complaints.filter((complaint) => !expected?.test(complaint))
      checks.equal('the page asks nobody else and complains of nothing', others, [])
      await context.close()
    },
  }
}
