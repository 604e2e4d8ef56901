import { statSync } from 'node:fs'

/** Returns a text that is another one after any of the files was changed, replaced, created or deleted. */
export function fileVersion(paths: readonly string[]): string {
  return paths.map(versionOf).join(' ')
}

function versionOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return `${ino}.${size}.${mtimeNs}.${ctimeNs}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}
