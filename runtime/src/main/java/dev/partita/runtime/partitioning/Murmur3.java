package dev.partita.runtime.partitioning;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** MurmurHash3 with seed 0, in the two variants that the dialect uses (protocol section 10). */
final class Murmur3 {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int C1_32 = 0xcc9e2d51;
  private static final int C2_32 = 0x1b873593;
  private static final long C1_64 = 0x87c37b91114253d5L;
  private static final long C2_64 = 0x4cf5ad432745937fL;

  private Murmur3() {}

  /** The x86 variant: 32 bits of the first {@code length} bytes. */
  static int x86(byte[] data, int length) {
    int hash = 0;
    int blocksEnd = length & ~3;
    for (int i = 0; i < blocksEnd; i += 4) {
      hash ^= mix32((int) INT.get(data, i));
      hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
    }
    int tail = 0;
    for (int i = length - 1; i >= blocksEnd; i--) {
      tail = tail << 8 | (data[i] & 0xff);
    }
    hash ^= mix32(tail) ^ length;
    hash = (hash ^ hash >>> 16) * 0x85ebca6b;
    hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
    return hash ^ hash >>> 16;
  }

  /**
   * The x64 variant: 128 bits of {@code data} from {@code from} to {@code to}, written to {@code out} as 16
   * bytes, the second half of the hash first and both halves big-endian, as an effective partition key
   * wants them.
   */
  static void x64(byte[] data, int from, int to, byte[] out, int at) {
    long h1 = 0;
    long h2 = 0;
    int length = to - from;
    int blocksEnd = from + (length & ~15);
    for (int i = from; i < blocksEnd; i += 16) {
      h1 ^= mixFirst((long) LONG.get(data, i));
      h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
      h2 ^= mixSecond((long) LONG.get(data, i + 8));
      h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    h2 ^= mixSecond(littleEndian(data, Math.min(blocksEnd + 8, to), to));
    h1 ^= mixFirst(littleEndian(data, blocksEnd, Math.min(blocksEnd + 8, to)));
    h1 ^= length;
    h2 ^= length;
    h1 += h2;
    h2 += h1;
    h1 = finish(h1);
    h2 = finish(h2);
    h1 += h2;
    h2 += h1;
    BIG_ENDIAN_LONG.set(out, at, h2);
    BIG_ENDIAN_LONG.set(out, at + 8, h1);
  }

  private static int mix32(int block) {
    return Integer.rotateLeft(block * C1_32, 15) * C2_32;
  }

  private static long mixFirst(long block) {
    return Long.rotateLeft(block * C1_64, 31) * C2_64;
  }

  private static long mixSecond(long block) {
    return Long.rotateLeft(block * C2_64, 33) * C1_64;
  }

  private static long littleEndian(byte[] data, int from, int to) {
    long value = 0;
    for (int i = to - 1; i >= from; i--) {
      value = value << 8 | (data[i] & 0xff);
    }
    return value;
  }

  private static long finish(long h) {
    long hash = (h ^ h >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }
}
