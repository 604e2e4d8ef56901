// Transient storage (EIP-1153): like slots, for one transaction and without a host.
import { BITS, clearIndex, headOf, INDEX_BYTES, isCrowded, resizeIndex, slotHash } from './hash';
import { HELD_CELL, hold } from './held';
import { noteTransient } from './journal';
import { countOf, emptyPool, entryOf, openPool, POOL_BYTES, takeEntry } from './pool';
import { clear, copy, equal } from './word';

const KEY = 0;
const VALUE = 32;
const ACCOUNT = 64;
const NEXT = 68;
const BYTES = 72;

const CELLS = memory.data(POOL_BYTES);
const INDEX = memory.data(INDEX_BYTES);

export function clearTransient(): void {
  if (load<u32>(INDEX) && countOf(CELLS) == 0) return;
  openPool(CELLS, BYTES);
  emptyPool(CELLS);
  clearIndex(INDEX);
}

@inline
function find(account: usize, key: usize): usize {
  let cell: usize = load<u32>(headOf(INDEX, slotHash(account, key)));
  while (cell) {
    if (equal(cell + KEY, key) && load<u32>(cell, ACCOUNT) == u32(account)) return cell;
    cell = load<u32>(cell, NEXT);
  }
  return 0;
}

export function readTransient(account: usize, key: usize, to: usize): void {
  const cell = find(account, key);
  if (cell) copy(to, cell + VALUE);
  else clear(to);
}

export function writeTransient(account: usize, key: usize, value: usize): void {
  let cell = find(account, key);
  if (!cell) {
    cell = takeEntry(CELLS);
    hold(HELD_CELL);
    copy(cell + KEY, key);
    store<u32>(cell, u32(account), ACCOUNT);
    if (isCrowded(INDEX, countOf(CELLS))) rehash();
    else link(cell);
  }
  noteTransient(cell + VALUE);
  copy(cell + VALUE, value);
}

@inline
function link(cell: usize): void {
  const head = headOf(INDEX, slotHash(load<u32>(cell, ACCOUNT), cell + KEY));
  store<u32>(cell, load<u32>(head), NEXT);
  store<u32>(head, u32(cell));
}

function rehash(): void {
  resizeIndex(INDEX, load<u32>(INDEX, BITS) + 2);
  for (let i: u32 = 0, n = countOf(CELLS); i < n; i++) link(entryOf(CELLS, i));
}
