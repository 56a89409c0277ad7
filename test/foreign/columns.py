"""The options of a column family and of its tables, drawn at random."""

from dataclasses import dataclass, field

from rows import KEY_STYLES, VALUE_STYLES

COMPRESSIONS = [
    "kNoCompression",
    "kSnappyCompression",
    "kZlibCompression",
    "kLZ4Compression",
    "kLZ4HCCompression",
    "kZSTD",
]


NODE = {
    "compression": "kLZ4Compression",
    "bottommost_compression": "kZSTD",
    "bottommost_compression_opts": "{enabled=true;level=3;window_bits=-14;max_dict_bytes=16384;zstd_max_train_bytes=1638400;}",
}
"""The options of a node of core-1.0."""

NODE_TABLES = {
    "filter_policy": "bloomfilter:10:false",
    "whole_key_filtering": "true",
    "cache_index_and_filter_blocks": "true",
    "pin_l0_filter_and_index_blocks_in_cache": "true",
}


@dataclass
class ColumnPlan:
    keys: str
    """How its keys look: a name of KEY_STYLES."""
    values: str
    """How its values look: a name of VALUE_STYLES."""
    factory: str = "BlockBasedTable"
    fixed: dict = field(default_factory=dict)
    """Options that stay what they are for all sessions."""
    node: bool = False
    """Whether it has the compression and the tables of a node."""


def column_plan(rng, peculiarity, several_paths, node, forms):
    def peculiar(what):
        return peculiarity == what and rng.random() < 0.6

    column = ColumnPlan(rng.choice(list(KEY_STYLES)), rng.choice(list(VALUE_STYLES)), node=node)
    forms.add(f"{column.keys} keys")
    forms.add(f"{column.values} values")
    fixed = column.fixed
    if node:
        fixed["compaction_style"] = "kCompactionStyleLevel"
        return column
    fixed["num_levels"] = rng.choice(["2", "3", "4", "7", "7", "7"])
    # First in, first out works in one folder only.
    style = rng.choices(["Level", "Universal", "FIFO"], [70, 20, 0 if several_paths else 10])[0]
    fixed["compaction_style"] = f"kCompactionStyle{style}"
    forms.add(f"{style} compaction")
    if style == "Universal":
        fixed["compaction_options_universal"] = settings(
            size_ratio=rng.choice([1, 10, 100]),
            min_merge_width=rng.choice([2, 3]),
            max_size_amplification_percent=rng.choice([20, 200]),
            compression_size_percent=rng.choice([-1, 50]),
            stop_style=rng.choice(["kCompactionStopStyleTotalSize", "kCompactionStopStyleSimilarSize"]),
            allow_trivial_move=rng.choice(["true", "false"]),
            incremental=rng.choice(["true", "false"]),
        )
        fixed["num_levels"] = rng.choice(["1", "3", "7"])
    if style == "FIFO":
        fixed["compaction_options_fifo"] = settings(
            max_table_files_size=rng.choice([20_000, 200_000, 1 << 30]),
            allow_compaction=rng.choice(["true", "false"]),
        )
    if peculiar("blob files"):
        fixed["enable_blob_files"] = "true"
        fixed["min_blob_size"] = rng.choice(["0", "50", "1000"])
        fixed["blob_file_size"] = rng.choice(["10000", "268435456"])
        fixed["blob_compression_type"] = rng.choice(["kNoCompression", "kSnappyCompression", "kLZ4Compression", "kZSTD"])
        fixed["enable_blob_garbage_collection"] = rng.choice(["true", "false"])
        fixed["blob_garbage_collection_age_cutoff"] = "1.0"
    if peculiar("another order"):
        fixed["comparator"] = "rocksdb.ReverseBytewiseComparator"
    if rng.random() < 0.08:
        # There is nothing that merges in rocksdict: only the name is there.
        fixed["merge_operator"] = rng.choice(["StringAppendOperator", "UInt64AddOperator"])
        forms.add("merge operator")
    if peculiar("plain tables"):
        column.factory = "PlainTable"
    return column


def column_session(rng, column, peculiarity, forms):
    """The name of the table factory, the options, and those of the tables."""
    options = dict(column.fixed)
    peculiar = peculiarity if rng.random() < 0.6 else ""

    def sometimes(probability, name, *values):
        if rng.random() < probability:
            options[name] = rng.choice(values)

    # No write ever waits for a compaction, which may be switched off.
    options["level0_slowdown_writes_trigger"] = options["level0_stop_writes_trigger"] = "100000"
    options["soft_pending_compaction_bytes_limit"] = options["hard_pending_compaction_bytes_limit"] = "0"
    options["max_write_buffer_number"] = "6"
    options["write_buffer_size"] = rng.choice(["65536", "65536", "300000", "67108864"])
    sometimes(0.3, "target_file_size_base", "2000", "20000")
    sometimes(0.3, "max_bytes_for_level_base", "5000", "50000")
    sometimes(0.2, "max_bytes_for_level_multiplier", "2", "3.5")
    sometimes(0.5, "level0_file_num_compaction_trigger", "1", "2", "8")
    sometimes(0.2, "disable_auto_compactions", "true")
    sometimes(0.2, "level_compaction_dynamic_level_bytes", "false")
    sometimes(0.1, "min_write_buffer_number_to_merge", "2")
    sometimes(0.1, "memtable_max_range_deletions", "1", "3")
    sometimes(0.1, "paranoid_file_checks", "true")
    sometimes(0.1, "max_sequential_skip_in_iterations", "0")
    sometimes(0.1, "memtable_prefix_bloom_size_ratio", "0.1")
    sometimes(0.1, "memtable_whole_key_filtering", "true")
    if column.fixed["compaction_style"] == "kCompactionStyleLevel" and column.factory == "BlockBasedTable":
        sometimes(0.05, "ttl", "1")
        sometimes(0.05, "preserve_internal_time_seconds", "100000")
    if column.node:
        return column.factory, {**options, **NODE}, {**NODE_TABLES, "format_version": rng.choice(["5", "6"])}
    if column.factory == "BlockBasedTable":
        prefixes(rng, options, forms)
    compress(rng, options, peculiar, forms)
    if column.factory == "PlainTable":
        return column.factory, options, {"hash_table_ratio": "0"}
    return column.factory, options, table_options(rng, options, peculiar, forms)


def prefixes(rng, options, forms):
    if rng.random() < 0.1:
        prefix = rng.choice(["FixedPrefix.1", "CappedPrefix.3"])
        options["sst_partitioner_factory"] = settings(id="SstPartitionerFixedPrefixFactory", length=1)
        options["prefix_extractor"] = f"rocksdb.{prefix}"
    if rng.random() < 0.25:
        options["prefix_extractor"] = "rocksdb." + rng.choice(["FixedPrefix.1", "FixedPrefix.4", "CappedPrefix.3", "Noop"])
    if "prefix_extractor" in options:
        forms.add("prefix extractor")


def compress(rng, options, peculiar, forms):
    options["compression"] = "kBZip2Compression" if peculiar == "bzip2" else rng.choice(COMPRESSIONS)
    if rng.random() < 0.1:
        options["compression_per_level"] = ":".join(rng.choices(COMPRESSIONS, k=rng.choice([2, 3, 5])))
    if rng.random() < 0.15:
        options["bottommost_compression"] = rng.choice(COMPRESSIONS)
    used = {options["compression"], options.get("bottommost_compression")}
    used.update(options.get("compression_per_level", "").split(":"))
    forms.update(one for one in used if one)
    if rng.random() < 0.4:
        # None, a dictionary of raw bytes, or a trained one.
        dictionary = rng.choice([0, 100, 4000, 16384])
        trained = rng.choice([0, 65536, 1638400]) if dictionary else 0
        if dictionary:
            forms.add("dictionary")
        chosen = settings(
            max_dict_bytes=dictionary,
            zstd_max_train_bytes=trained,
            use_zstd_dict_trainer=rng.choice(["true", "false"]),
            level=rng.choice([32767, 1, 6, 9]),
            window_bits=rng.choice([-14, -9, -15]),
            strategy=rng.choice([0, 1, 2, 3]),
            max_compressed_bytes_per_kb=rng.choice([896, 1024, 300]),
            checksum=rng.choice(["true", "false"]),
            parallel_threads=rng.choice([1, 1, 1, 2]),
            enabled="true",
        )
        options[rng.choice(["compression_opts", "bottommost_compression_opts"])] = chosen


def table_options(rng, options, peculiar, forms):
    table = {}

    def sometimes(probability, name, *values):
        if rng.random() < probability:
            table[name] = rng.choice(values)

    version = rng.choice(["0", "1"] if peculiar == "old tables" else ["2", "3", "4", "5", "6"])
    table["format_version"] = version
    forms.add(f"format version {version}")
    checksums = ["kCRC32c"] if version == "0" else ["kNoChecksum", "kCRC32c", "kxxHash", "kxxHash64", "kXXH3"]
    table["checksum"] = rng.choice(checksums)
    forms.add(table["checksum"])
    table["block_size"] = rng.choice(["1", "64", "500", "4096", "4096", "65536", str(4 << 20)])
    table["block_restart_interval"] = rng.choice(["1", "2", "16", "16", "1024", "1000000"])
    table["index_block_restart_interval"] = rng.choice(["1", "1", "2", "8", "1024"])
    sometimes(0.2, "block_size_deviation", "0", "100")
    sometimes(0.1, "flush_block_policy_factory", "FlushBlockEveryKeyPolicyFactory")
    indexes = ["kBinarySearch", "kBinarySearch", "kTwoLevelIndexSearch"]
    if "prefix_extractor" in options:
        indexes.append("kHashSearch")
    table["index_type"] = "kBinarySearchWithFirstKey" if peculiar == "first keys" else rng.choice(indexes)
    if table["index_type"] == "kHashSearch":
        table["index_block_restart_interval"] = "1"
    forms.add(table["index_type"])
    sometimes(0.4, "metadata_block_size", "1", "100")
    sometimes(0.3, "index_shortening", "kNoShortening", "kShortenSeparatorsAndSuccessor")
    sometimes(0.2, "enable_index_compression", "false")
    sometimes(0.2, "use_delta_encoding", "false")
    sometimes(0.4, "filter_policy", "bloomfilter:10:false", "bloomfilter:3:false", "ribbonfilter:10:-1", "ribbonfilter:8:1")
    if "filter_policy" in table:
        forms.add("filter")
        sometimes(0.3, "whole_key_filtering", "false")
        sometimes(0.3, "optimize_filters_for_memory", "false")
        if table["index_type"] == "kTwoLevelIndexSearch":
            sometimes(0.5, "partition_filters", "true")
            sometimes(0.5, "decouple_partitioned_filters", "true")
    if rng.random() < 0.2:
        table["data_block_index_type"] = "kDataBlockBinaryAndHash"
        table["data_block_hash_table_util_ratio"] = rng.choice(["0.1", "0.75", "1.5"])
        forms.add("hash in blocks")
    if options["compression"] == "kNoCompression" and not {
        "compression_per_level",
        "bottommost_compression",
    } & options.keys() and int(table["block_size"]) in (4096, 65536):
        sometimes(0.4, "block_align", "true")
        if "block_align" in table:
            forms.add("aligned blocks")
    sometimes(0.1, "verify_compression", "true")
    sometimes(0.1, "cache_index_and_filter_blocks", "true")
    return table


def settings(**values):
    """A nested option: {name=value;…}."""
    return "{" + "".join(f"{name}={value};" for name, value in values.items()) + "}"
