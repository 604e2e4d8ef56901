// The transaction's logs, one record after the other.
import { reallocate } from './heap';
import { HELD_LOG, HELD_LOG_BYTE, hasRoomFor, hold } from './held';
import { A_ADDRESS, G_ADDRESS, G_BODY, G_DATA, G_TOPICS } from './layout';
import { noteLog } from './journal';
import { swap } from './word';

let at: usize = 0;
let room: usize = 0;
let length: usize = 0;

const BIG_ENDIAN = memory.data(32);

export function logsAt(): usize {
  return at;
}

export function logsLength(): usize {
  return length;
}

export function truncateLogs(bytes: usize): void {
  length = bytes;
}

/** Adds a record; `topics` points to the last of `count` words on the stack. Returns false if the transaction holds too much. */
export function addLog(account: usize, topics: usize, count: u32, data: usize, bytes: usize): bool {
  const size = (usize(G_BODY) + (usize(count) << 5) + bytes + 3) & ~3;
  const holds = HELD_LOG + u64(size) * HELD_LOG_BYTE;
  if (!hasRoomFor(holds)) return false;
  hold(holds);
  if (length + size > room) {
    const more = max(length + size, max<usize>(room << 1, 1 << 14));
    at = reallocate(at, length, room, more);
    room = more;
  }
  noteLog(length);
  const record = at + length;
  swap(BIG_ENDIAN, account + A_ADDRESS);
  memory.copy(record + G_ADDRESS, BIG_ENDIAN + 12, 20);
  store<u32>(record, count, G_TOPICS);
  store<u32>(record, u32(bytes), G_DATA);
  let body = record + G_BODY;
  for (let i = i32(count) - 1; i >= 0; i--) {
    swap(body, topics + (i << 5));
    body += 32;
  }
  memory.copy(body, data, bytes);
  length += size;
  return true;
}
