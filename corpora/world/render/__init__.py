"""From facts to text: titles, abstracts and full texts of the synthetic world, with a record of what each one says."""
