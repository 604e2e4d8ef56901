import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { packageRoot } from '../../primitives/packageRoot.ts'
import { compareVersions, parseVersion, type SolcVersion } from './solcVersion.ts'

/** A compiler of this machine. */
export interface Compiler {
  /** A program, or the JavaScript of solc that comes with its WebAssembly. */
  readonly kind: 'native' | 'soljson'
  readonly path: string
  /** As its name says it: the commit may be missing. */
  readonly version: SolcVersion
}

/** The compilers that there are, newest first, programs before JavaScript: they take half the time. */
export interface Compilers {
  list(): readonly Compiler[]
  /** Those that may be the one of this version: which it is says the compiler itself. */
  of(version: SolcVersion): readonly Compiler[]
}

/** Folders below the one that the operator names: svm keeps each version in its own, npm each package. */
const maxDepth = 2

/**
 * Finds compilers in a folder by the names that solc's own releases, svm and npm give them, and npm's `solc` where it is installed beside
 * Quoin. Nothing is downloaded. The folder is read again each time, so that a compiler may be added while the node runs.
 */
export function createCompilers(folder: string | undefined): Compilers {
  const list = () =>
    [...(folder === undefined ? [] : compilersIn(folder, maxDepth)), ...installed()].sort(
      (one, other) =>
        compareVersions(other.version, one.version) ||
        Number(one.kind === 'soljson') - Number(other.kind === 'soljson'),
    )
  return {
    list,
    of: (version) =>
      list().filter(
        ({ version: have }) =>
          have.numbers === version.numbers && (have.commit === undefined || have.commit === version.commit),
      ),
  }
}

function compilersIn(folder: string, depth: number): readonly Compiler[] {
  const compiler = packaged(folder)
  if (compiler) return [compiler]
  return namesIn(folder).flatMap((name): readonly Compiler[] => {
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) return depth > 0 ? compilersIn(path, depth - 1) : []
    const compiler = found?.isFile() ? compilerAt(path, (found.mode & 0o111) !== 0) : undefined
    return compiler ? [compiler] : []
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function compilerAt(path: string, isExecutable: boolean): Compiler | undefined {
  const name = basename(path)
  const version = parseVersion(name)
  if (!version || !/^sol(c|json)\b/.test(name)) return undefined
  if (name.endsWith('.js')) return { kind: 'soljson', path, version }
  return isExecutable ? { kind: 'native', path, version } : undefined
}

/** A package of npm: its folder may have any name. */
function packaged(folder: string): Compiler | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
    const parsed = parseVersion(version ?? '')
    const path = join(folder, 'soljson.js')
    return name === 'solc' && parsed && statSync(path).isFile() ? { kind: 'soljson', path, version: parsed } : undefined
  } catch {
    return undefined
  }
}

function installed(): readonly Compiler[] {
  try {
    const compiler = packaged(dirname(createRequire(join(packageRoot, 'package.json')).resolve('solc/package.json')))
    return compiler ? [compiler] : []
  } catch {
    return []
  }
}
