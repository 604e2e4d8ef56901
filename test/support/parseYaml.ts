import { createRequire } from 'node:module'

interface Yaml {
  parseAllDocuments(text: string): { toJS(): unknown; errors: readonly Error[]; warnings: readonly Error[] }[]
}

// The parser that knip brings, so that tests need no package of their own.
const require = createRequire(import.meta.url)
const { parseAllDocuments } = createRequire(require.resolve('knip'))('yaml') as Yaml

/** The documents of a text; what is not clear YAML is an error. */
export function parseYaml<T>(text: string): T[] {
  return parseAllDocuments(text).flatMap((document) => {
    for (const problem of [...document.errors, ...document.warnings]) throw problem
    const value = document.toJS() as T | null
    return value === null ? [] : [value]
  })
}
